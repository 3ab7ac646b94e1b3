! COMMON, EQUIVALENCE, DATA, SAVE: offsets, sizes and bytes are gfortran's.
program storage
  implicit none
  integer :: a, b(3), i, j
  real(8) :: d(2)
  character(len=5) :: c
  common /one/ a, b, c
  common // d
  integer :: e(4), f(2)
  real :: g
  equivalence (b(2), e(1)), (e(3), f(1))
  real :: u(4), v(2, 2), w
  equivalence (u, v), (w, u(3))
  data u / 1.0, 2*2.0, 3.0 /
  integer :: k(2, 3), l(5), m, n(6)
  data ((k(i, j), i = 1, 2), j = 1, 3) / 1, 2, 3, 4, 5, 6 /
  data (l(i), i = 1, 5, 2) / 3*7 /, l(2), l(4) / 2*-1 /
  data m / z'ff' /, n(2:6:2) / 3*9 /
  character(len=8) :: text, names(2)
  data text(1:3) / 'abcde' /, text(5:) / 'x' /, names / 'one', 'two' /
  complex :: z
  logical :: q(2)
  data z / (1, 2.5) /, q / .true., .false. /
  real(8) :: half
  parameter (half = 0.5d0)
  real(8) :: h(2)
  data h / half, 3 /
  integer :: counter = 42
  print *, a, b, c, d, e, f, g, u, v, w, k, l, m, n, text, names, z, q, h, counter
  call inner
contains
  subroutine inner
    integer, save :: calls = 3
    integer, parameter :: table(3) = [1, 2, 3]
    integer :: big(100000), small(10)
    real :: auto(a)
    calls = calls + 1
    big = table(1)
    small = big(1:10)
    auto = 0
    print *, calls, small, auto
  end subroutine inner
end program storage

block data
  integer x, y(3)
  character z*5
  common /one/ x, y, z
  data x / 1 /, y / 3*2 /, z / 'hello' /
end block data

subroutine other(n)
  integer n, p, q(3)
  character r*5
  common /one/ p, q, r
  save
  integer last
  data last / 0 /
  last = last + n + p + q(1)
  if (r == 'x') stop
end subroutine other
