! STOP with a number ends the program with that exit code.
program stop_code
  implicit none
  print *, 'before'
  stop 7
  print *, 'after'
end program
