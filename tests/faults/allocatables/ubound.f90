! told at 4:19: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:, :)
  print *, ubound(a, 2)
end program
