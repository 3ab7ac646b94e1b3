! told at 5:7: Pointer 'p' is not associated
program fault
  integer, pointer :: p
  nullify (p)
  if (p > 0) print *, 'yes'
end program
