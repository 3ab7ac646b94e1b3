! told at 4:7: Pointer 'p' is not associated
program fault
  logical, pointer :: p => null()
  if (p) print *, 'yes'
end program
