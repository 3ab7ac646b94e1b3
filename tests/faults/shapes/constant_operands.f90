! told at 4:12: Different shapes on dimension 1: 3 and 4
program fault
  real :: a(3) = 1, b(4) = 2
  print *, a + b
end program
