! told at 9:12: Pointer 'p' is not associated
program fault
  integer, pointer :: p(:)
  integer :: k
  k = 2
  allocate (p(3))
  p = 1
  deallocate (p)
  print *, p(k)
end program
