! told at 10:12: Dangling pointer 'q'
program fault
  integer, pointer :: p(:), q(:)
  integer :: k
  k = 2
  allocate (p(3))
  p = 1
  q => p
  deallocate (p)
  print *, q(k)
end program
