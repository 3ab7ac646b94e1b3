! told at 7:25: Array bound mismatch for dimension 1 of array 'b' (4/3)
program fault
  real, allocatable :: a(:), b(:)
  allocate (a(4), b(3))
  a = 1
  b = 2
  where (a > 0) a = a + b
  print *, a
end program
