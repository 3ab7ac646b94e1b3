program right
  real, allocatable, target :: a(:), b(:)
  real, pointer :: p(:)
  allocate (a(5))
  a = 1
  p => a
  call move_alloc(a, b)
  p => b
  p(2) = 4
  print *, sum(b)
  deallocate (b)
  allocate (b(3))
  b = 2
  p => b
  print *, p
end program
