! told at 5:21: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:)
  real :: b(3) = (/ 1.0, -1.0, 2.0 /)
  where (b > 0) b = a
  print *, b
end program
