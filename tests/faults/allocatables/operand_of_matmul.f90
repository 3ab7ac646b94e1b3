! told at 5:19: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:, :)
  real :: b(2) = 1
  print *, matmul(a, b)
end program
