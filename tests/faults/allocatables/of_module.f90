! told at 9:3: Allocatable variable 'work' is not allocated
module m
  real, allocatable :: work(:)
end module
program fault
  use m
  integer :: k
  k = 2
  work(k) = 1
end program
