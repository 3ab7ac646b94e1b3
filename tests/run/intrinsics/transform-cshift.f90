! CSHIFT: both signs, beyond the size, DIM, array of shifts.
program transform_cshift
  implicit none
  integer :: v(6), m(3, 4), i
  v = (/ (i, i = 1, 6) /)
  print *, cshift(v, 2), cshift(v, -1)
  print *, cshift(v, 8), cshift(v, -13), cshift(v, 0)
  m = reshape((/ (i, i = 1, 12) /), (/ 3, 4 /))
  print *, cshift(m, 1)
  print *, cshift(m, -1, dim=2)
  print *, cshift(m, (/ 1, 2, 3 /), 2)
  print *, cshift(m, (/ 0, 1, -1, 2 /), dim=1)
  v = cshift(v, 1) - v
  print *, v
  v(1:4) = cshift(v(2:5), 3)
  print *, v
end program
