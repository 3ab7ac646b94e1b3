! SUM and PRODUCT: whole, DIM, MASK, both, empty.
program reduce_sum_product
  implicit none
  integer :: m(3, 4), e(0), i
  double precision :: d(4)
  complex :: z(2)
  m = reshape((/ (i, i = 1, 12) /), (/ 3, 4 /))
  print *, sum(m), product(m(:, 1)), sum(m(2, :))
  print *, sum(m, 1), sum(m, dim=2)
  print *, sum(m, mask=m > 6), sum(m, dim=1, mask=mod(m, 2) == 0)
  print *, product(m, 2), product(m, mask=m < 5)
  print *, sum(e), product(e), sum(m, .false.)
  d = (/ 0.5d0, 1.5d0, -2.0d0, 8.0d0 /)
  print *, sum(d), product(d), sum(d * d), sum(d(1:4:3))
  z = (/ (1.0, 2.0), (3.0, -1.0) /)
  print *, sum(z), product(z)
end program
