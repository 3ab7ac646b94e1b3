! MAXVAL and MINVAL: whole, DIM, MASK, empty arrays give the extreme of the kind.
program reduce_maxval_minval
  implicit none
  integer :: m(2, 3), e(0)
  double precision :: d(3), none(0)
  m = reshape((/ 4, -7, 9, 0, 3, 5 /), (/ 2, 3 /))
  print *, maxval(m), minval(m)
  print *, maxval(m, 1), minval(m, dim=2)
  print *, maxval(m, mask=m < 4), minval(m, 1, m > 0)
  print *, maxval(e), minval(e)
  d = (/ -1.5d0, 2.25d0, -8.0d0 /)
  print *, maxval(d), minval(d), maxval(abs(d)), minval(d * d)
  print *, maxval(none) == -huge(1.0d0), minval(none) == huge(1.0d0)
end program
