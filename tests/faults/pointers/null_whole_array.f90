! told at 6:7: Pointer 'p' is not associated
program fault
  integer, pointer :: p(:)
  integer :: a(3)
  nullify (p)
  a = p
  print *, a
end program
