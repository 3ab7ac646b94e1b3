! told at 6:3: Allocatable variable 'a' is not allocated
program fault
  integer, allocatable :: a(:)
  integer :: k
  k = 1
  a(k) = 2
end program
