! told at 7:12: Pointer 'p' is not associated
program fault
  real, pointer :: p
  allocate (p)
  p = 2
  nullify (p)
  print *, p
end program
