! told at 7:19: Array bound mismatch for dimension 1 of array 'b' (2/3)
program fault
  real, allocatable :: a(:), b(:)
  allocate (a(2), b(3))
  a = 1
  b = 2
  print *, min(a, b)
end program
