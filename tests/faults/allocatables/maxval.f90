! told at 4:19: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:)
  print *, maxval(a)
end program
