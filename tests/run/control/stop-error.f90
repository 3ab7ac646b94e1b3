! ERROR STOP gives exit code 1, whatever the text.
program stop_error
  implicit none
  print *, 'before'
  error stop 'broken'
end program
