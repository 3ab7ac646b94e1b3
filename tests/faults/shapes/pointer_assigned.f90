! told at 7:3: Array bound mismatch for dimension 1 of array 'p' (2/3)
program fault
  real, target :: a(2) = 0
  real, pointer :: p(:)
  real :: b(3) = 1
  p => a
  p = b
  print *, a
end program
