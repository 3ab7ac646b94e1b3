! told at 4:16: Pointer 'p' is not associated
program fault
  complex, pointer :: p => null()
  write (*, *) p
end program
