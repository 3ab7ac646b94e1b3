! told at 7:12: The extents of the arguments of 'matmul' differ (3/2)
program fault
  real, allocatable :: a(:, :), x(:)
  allocate (a(2, 3), x(2))
  a = 1
  x = 1
  print *, matmul(a, x)
end program
