! told at 4:3: Pointer 'p' is not associated
program fault
  character(len=4), pointer :: p => null()
  p = 'abc'
end program
