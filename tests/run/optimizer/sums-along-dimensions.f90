! Sums along each dimension: into variables of several kinds, sections, with masks, of few and of no elements, and where the sum is
! read in the same statement
program sums
  implicit none
  integer :: i, j, k, ia(3, 50), it(3)
  real(8) :: a(40, 7), s(40), t(7), c(4, 5, 6), p(4, 6), q(5, 6), r(4, 5), w(7, 7)
  real(4) :: x(9, 9), y(9)
  complex(8) :: z(6, 3), v(6)
  real(8), allocatable :: e(:, :), f(:)
  logical :: mask(40, 7)
  a = reshape([(1d0 / i + mod(i, 13) * 1d15, i = 1, 280)], [40, 7])
  mask = mod(reshape([(i, i = 1, 280)], [40, 7]), 3) /= 0
  s = sum(a, 2)
  t = sum(a, 1)
  print '(4es25.17)', s(1), s(40), t(1), t(7)
  s = sum(a, dim=2, mask=mask)
  print '(4es25.17)', s(1:4)
  s = sum(a, 2, .false.)
  print '(2f6.2)', s(1), s(40)
  s = sum(a, 2) / 7 + s
  print '(2es25.17)', s(17), maxval(sum(a, 2))
  c = reshape([(sqrt(1d0 * i), i = 1, 120)], [4, 5, 6])
  p = sum(c, 2)
  q = sum(c, 1)
  r = sum(c, 3)
  print '(4es25.17)', p(2, 3), q(5, 6), r(4, 1), sum(p) - sum(q)
  p(:, 6:1:-1) = sum(c, 2)
  print '(2es25.17)', p(1, 1), p(4, 6)
  ia = reshape([(i * i - 40 * i, i = 1, 150)], [3, 50])
  it = sum(ia, 2)
  print *, it
  x = reshape([(1.0 / i, i = 1, 81)], [9, 9])
  y = sum(x, 2)
  y(2:8) = sum(x(2:8, ::2), 2)
  print '(3es16.8)', y(1), y(5), y(9)
  z = reshape([(cmplx(i, -i, 8) / 7, i = 1, 18)], [6, 3])
  v = sum(z, 2)
  print '(4f14.8)', v(1), v(6)
  do k = 0, 3
    allocate (e(k, 4), f(k))
    e = k + 0.5d0
    f = sum(e, 2)
    print '(i3, 3f8.2)', k, f
    deallocate (e, f)
  end do
  allocate (e(3, 0), f(3))
  f = 7
  f = sum(e, 2)
  print '(3f6.2)', f
  w = reshape([(1d0 * i, i = 1, 49)], [7, 7])
  w(:, 3) = sum(w, 2)
  print '(7f8.1)', w(:, 3)
  w(2, :) = sum(w, 1)
  print '(7f8.1)', w(2, :)
  do j = 1, 7
    w(:, j) = sum(w(:, 1:j), 2)
  end do
  print '(7f10.1)', w(:, 7)
end program
