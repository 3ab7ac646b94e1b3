! told at 4:12: Procedure pointer 'f' is not associated
program fault
  procedure(real), pointer :: f => null()
  print *, f()
end program
