! told at 4:8: Procedure pointer 'f' is not associated
program fault
  procedure(), pointer :: f => null()
  call f
end program
