! told at 6:18: Incorrect extent in SHIFT argument of EOSHIFT intrinsic in dimension 1: is 0, should be 3
program fault
  real, allocatable :: x(:, :), s(:)
  allocate (x(3, 2), s(0))
  x = 1
  x = eoshift(x, int(s), dim=2)
  print *, x
end program
