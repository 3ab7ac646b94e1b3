! Arithmetic, comparisons and conversions of REAL(16).
program num_quad
  implicit none
  integer, parameter :: q = 16
  real(q) :: x, y, s
  real :: f
  double precision :: d
  integer :: i, n
  integer(8) :: l
  integer(1) :: b
  integer(2) :: h
  x = 7; y = -0.3_q
  print *, x + y, x - y, x * y, x / y, -x, +y
  print *, x < y, x <= y, x > y, x >= y, x == y, x /= y, x == 7, 7 < x, y == -0.3, y == -0.3_q
  f = 0.1; d = 0.1d0; i = -5; l = 2_8**62 + 1; b = 100; h = -300
  print *, x + f, x + d, x + i, x + l, x * b, x * h
  x = f; print *, x
  x = d; print *, x
  x = i; print *, x
  x = l; print *, x
  x = b; print *, x
  x = 123456789.987654321_q
  f = x; d = x; i = x; l = x; b = 12.9_q; h = -12.9_q
  print *, f, d, i, l, b, h
  print *, int(x), int(x, 8), nint(x), nint(x, 8), floor(x), ceiling(-x), aint(x), anint(x), dble(y), real(y), sngl(d)
  print *, x ** 2, x ** (-1), x ** 0, y ** 3, 2.0_q ** 16383, 1.25_q ** 63_8, 0.5_q ** (-100_8)
  n = 70
  print *, y ** n, x ** (-n), x ** (-3), y ** 7
  ! A sum whose terms differ by more than double precision can tell.
  s = 0
  do n = 1, 1000
    s = s + 1.0_q / n**2
  end do
  print *, s
  s = 1
  n = 0
  do while (1 + s > 1)
    s = s / 2
    n = n + 1
  end do
  print *, n, s
  x = 1e300_q * 1e300_q
  print *, x, 1 / x, sign(0.0_q, -x)
  y = 0
  print *, x / y, -x / y, (x / y) - (x / y) == (x / y) - (x / y)
  if (y) 10, 20, 30
10 print *, 'negative'
20 print *, 'zero'
30 continue
  select case (int(s + 3))
  case (3)
    print *, 'three'
  end select
end program
