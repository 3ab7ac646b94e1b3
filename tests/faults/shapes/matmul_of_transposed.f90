! told at 7:7: The extents of the arguments of 'matmul' differ (2/3)
program fault
  real, allocatable :: a(:, :), b(:, :), c(:, :)
  allocate (a(2, 3), b(2, 3), c(2, 2))
  a = 1
  b = 2
  c = matmul(transpose(a), transpose(b))
  print *, c
end program
