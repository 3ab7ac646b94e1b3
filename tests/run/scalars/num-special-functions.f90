! Special functions of Fortran 2008.
program p
  implicit none
  real(8) :: x
  real :: s
  x = 1.25d0; s = 0.75
  print '(4f12.8)', erf(x), erfc(x), erfc_scaled(x), gamma(x)
  print '(4f12.8)', log_gamma(5.5d0), hypot(3d0, 4d0), bessel_j0(x), bessel_j1(x)
  print '(4f12.8)', bessel_jn(2, x), bessel_y0(x), bessel_y1(x), bessel_yn(3, x)
  print '(4f9.5)', bessel_j0(s), erf(s), gamma(s), bessel_jn(1, s)
  print '(4f12.8)', bessel_jn(0, 3, x)
  print '(4f12.8)', asinh(x), acosh(x), atanh(0.5d0), norm2([3d0, 4d0])
  print *, norm2(reshape([3., 4., 6., 8.], [2, 2]), 1)
  print '(2f10.6)', sinh((1.0, 0.5)), tan((1.0, 0.5))
end program
