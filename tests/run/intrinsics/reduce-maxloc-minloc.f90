! MAXLOC and MINLOC: first of equals, DIM, MASK, rank two, none found.
program reduce_maxloc_minloc
  implicit none
  integer :: v(6), m(3, 3), i
  double precision :: d(4)
  v = (/ 3, 9, 1, 9, 1, 4 /)
  print *, maxloc(v), minloc(v), maxloc(v, 1), minloc(v, dim=1)
  print *, maxloc(v, mask=v < 9), minloc(v, 1, v > 1)
  print *, maxloc(v, mask=v > 100)
  m = reshape((/ 5, 2, 8, 8, 1, 0, 3, 8, 7 /), (/ 3, 3 /))
  print *, maxloc(m), minloc(m)
  print *, maxloc(m, 1), maxloc(m, 2), minloc(m, dim=1)
  d = (/ 0.5d0, -0.5d0, 0.75d0, -0.75d0 /)
  i = maxloc(abs(d), 1)
  print *, i, maxloc(d(2:4)), minloc(d(4:1:-1))
end program
