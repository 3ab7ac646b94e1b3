! Elemental intrinsics are masked; SUM over the array in a WHERE is not.
program where_functions
  implicit none
  double precision :: x(5), y(5)
  x = (/ 4.0d0, -1.0d0, 9.0d0, 0.0d0, 16.0d0 /)
  y = -1.0d0
  where (x >= 0.0d0) y = sqrt(x)
  print *, y
  where (x > 0.0d0) y = x / sum(x)
  print *, y
  where (x > 0.0d0)
    y = x + maxval(x)
    x = x - minval(x)
  end where
  print *, x
  print *, y
end program
