! told at 8:12: The extents of the arguments of 'matmul' differ (2/3)
! flags: -fcheck=none
program fault
  real, allocatable :: a(:, :), b(:, :)
  allocate (a(4, 2), b(3, 5))
  a = 1
  b = 2
  print *, matmul(a, b)
end program
