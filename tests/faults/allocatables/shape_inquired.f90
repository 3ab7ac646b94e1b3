! told at 4:18: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:, :)
  print *, shape(a)
end program
