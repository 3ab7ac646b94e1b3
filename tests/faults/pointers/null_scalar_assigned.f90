! told at 5:3: Pointer 'p' is not associated
program fault
  integer, pointer :: p
  nullify (p)
  p = 3
  print *, p
end program
