! told at 9:12: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:), b(:)
  integer :: k
  k = 1
  allocate (a(3))
  a = 1
  call move_alloc(a, b)
  print *, a(k)
end program
