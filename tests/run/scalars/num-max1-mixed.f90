! The old specific names of MAX and MIN take REAL of either kind, as gfortran lets them.
program num_max1_mixed
  implicit none
  real :: x = 7.5
  double precision :: d = 9.25d0
  print *, max1(x, 2.0), min1(x, 3.0), max1(d, 8.0d0), min1(7.0d0, d)
  print *, amax1(x, 3.0), amin1(x, 3.0), dmax1(d, 1d0), dmin1(d, 1d0)
end program
