! Intrinsic functions of REAL(16), of variables and of constants.
program num_quad_intrinsics
  implicit none
  integer, parameter :: q = 16
  real(q) :: x, y, t, v(6)
  real(q), parameter :: pi = acos(-1.0_q), e = exp(1.0_q), l2 = log(2.0_q), g = gamma(0.25_q), r = 2.0_q**0.5_q
  integer :: i
  x = -7.75_q; y = 2.5_q
  print *, int(x), nint(x), nint(x, 8), floor(x), ceiling(x), aint(x), anint(x)
  print *, mod(x, y), modulo(x, y), modulo(-x, -y), dim(y, x), dim(x, y)
  print *, max(x, y), min(x, y), max(x, y, 11.0_q), sign(y, x), abs(x)
  print *, fraction(x), exponent(x), scale(x, 3), set_exponent(x, 5), spacing(x), rrspacing(x)
  print *, nearest(x, 1.0_q), nearest(x, -1.0_q), nearest(0.0_q, 1.0_q)
  t = 0
  print *, spacing(t), exponent(t), fraction(t), rrspacing(t), nearest(t, -1.0_q)
  t = tiny(t) / 4
  print *, t, exponent(t), fraction(t), spacing(t), scale(t, 10)
  print '(4es36.27)', pi, e, l2, g, r
  v = [1.0_q, 0.5_q, 1.5_q, 4.5_q, 2.0_q, 3.0_q]
  print '(4es36.27)', exp(v(1)), log(v(5)), log10(v(5)), sqrt(v(5)), sin(v(1)), cos(v(1)), tan(v(1)), asin(v(2)), &
    acos(v(2)), atan(v(2))
  print '(4es36.27)', sinh(v(1)), cosh(v(1)), tanh(v(1)), asinh(v(2)), acosh(v(3)), atanh(v(2)), atan2(v(1), -v(5)), &
    hypot(v(6), v(4))
  print '(4es36.27)', gamma(v(4)), log_gamma(v(4)), erf(v(2)), erfc(v(6)), bessel_j0(v(1)), bessel_y1(v(3)), &
    bessel_jn(2, v(3))
  print '(4es36.27)', v(5)**v(2), erfc_scaled(v(4)), erfc_scaled(10 * v(5))
  print '(4es36.27)', exp(1.0_q), log(3.0_q), sin(0.5_q), atan2(1.0_q, 2.0_q), erf(0.25_q), erfc(5.0_q), log_gamma(0.5_q)
  print '(4es36.27)', sind(30.0_q), cosd(60.5_q), tand(45.0_q), asind(y / 5), atand(v(1)), atan2d(v(1), v(5))
  print *, (sqrt(real(i * i, q)) == i, i = 1, 5)
  call random_number(x)
  call random_number(v)
  print *, x >= 0 .and. x < 1, all(v >= 0 .and. v < 1), any(v * 2.0_q**60 /= aint(v * 2.0_q**60))
end program
