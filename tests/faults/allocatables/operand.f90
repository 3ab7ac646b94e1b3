! told at 5:7: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:)
  real :: b(3)
  b = a + 1
  print *, b
end program
