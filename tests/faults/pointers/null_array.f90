! told at 7:3: Pointer 'p' is not associated
program fault
  integer, pointer :: p(:)
  integer :: k
  k = 1
  nullify (p)
  p(k) = 3
  print *, p
end program
