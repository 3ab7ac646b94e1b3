! told at 5:23: Argument 'shape' of intrinsic 'reshape' is negative
program fault
  integer :: n, a(4) = 1
  n = -2
  print *, reshape(a, [2, n])
end program
