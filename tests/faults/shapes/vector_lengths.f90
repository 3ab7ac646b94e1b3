! told at 7:14: Array bound mismatch for dimension 1 of array 'b' (3/2)
program fault
  real, allocatable :: a(:), b(:), c(:)
  allocate (a(3), b(2), c(3))
  a = 1
  b = 1
  c(:) = a + b
  print *, c
end program
