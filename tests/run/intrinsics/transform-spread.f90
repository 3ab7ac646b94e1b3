! SPREAD of scalars, vectors along both dimensions, zero copies.
program transform_spread
  implicit none
  integer :: v(3), m(2, 2), t(2, 2, 3)
  v = (/ 1, 2, 3 /)
  print *, spread(7, 1, 4)
  print *, spread(v, 1, 2)
  print *, spread(v, dim=2, ncopies=2)
  print *, size(spread(v, 1, 0))
  m = reshape((/ 1, 2, 3, 4 /), (/ 2, 2 /))
  t = spread(m, 3, 3)
  print *, t
  print *, shape(spread(m, 2, 5)), sum(spread(m, 1, 3))
  print *, spread(v, 1, 3) * spread(v, 2, 3)
end program
