! Functions, powers and complex operations of constants are evaluated at compile time, correctly rounded.
program constant_functions
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp), parameter :: pi = 4*atan(1d0)
  real(dp), parameter :: a(6) = [gamma(0.5_dp), erf(0.3_dp), log_gamma(3.3_dp), hypot(3d0, 5d0), erfc(0.2d0), &
                                 erfc_scaled(1.5d0)]
  real(dp), parameter :: g(9) = [gamma(0.1d0), gamma(-2.5d0), gamma(170.5d0), gamma(1d-5), gamma(7d0), gamma(33.3d0), &
                                 log_gamma(1.0001d0), log_gamma(-0.7d0), log_gamma(1d10)]
  real(dp), parameter :: e(10) = [erf(1d-10), erf(-3d0), erf(5.9d0), erfc(3d0), erfc(-1d0), erfc(26d0), erfc(10d0), &
                                  erfc_scaled(-2d0), erfc_scaled(27d0), erfc_scaled(100d0)]
  real, parameter :: s(7) = [gamma(0.1), gamma(-2.5), gamma(30.5), log_gamma(1.1), erf(0.1), erfc(3.0), erfc_scaled(5.0)]
  complex(dp), parameter :: z(12) = [tan((1d0, 2d0)), asin((0.3d0, 0.1d0)), (1d0, 2d0)**(0.5d0, 1d0), &
    tanh((1d0, 0.5d0)), exp((0d0, 1d0)*pi/3), (1d0, 2d0)**0.5d0, atanh((0.1d0, 0.2d0)), acosh((2d0, 1d0)), &
    sinh((1d0, 1d0)), cosh((1d0, 1d0)), acos((0.5d0, 1d0)), asinh((0.5d0, 1d0))]
  complex, parameter :: c(5) = [(1., 2.)/(3., -4.), (1.1, 2.2)*(3.3, 4.4), sqrt((-1., -0.)), log((-1., 0.)), atan((0.1, 3.))]
  print *, a
  print *, g
  print *, e
  print *, s
  print '(2es24.16)', z
  print *, c
  print '(4f8.5)', bessel_j0(1.5d0), bessel_jn(2, 1.5d0), bessel_y1(2d0), bessel_yn(3, 2d0)
  ! In an expression, too, at every level of optimization.
  print *, (1.1d0, 2d0)**(-3), 1.7d0**(-0.3d0), tan((1.5d0, -2.5d0)), log_gamma(abs(-7.5d0) + 1), tanh(0.3) + 1.1**7
  print *, (2.5d0, -1d0)/(1.5, 2.5), modulo(-3d0, -1.5d0), dim(-0., 0.), sqrt((1d0, 0d0))
  ! Of the smallest and the largest numbers.
  print *, sinh(1d-308), log(1.1d-308), sqrt(4.9d-320), (1d-310, 3d-309)/(2d0, 1d0), 3d-310**1.02d0, exp(-744d0)
  print *, sin(1d308), asinh(1d308), log((1d308, 1d308)), log_gamma(1d300)
  ! Of zeros.
  print *, (-0d0)**10000, (-0d0)**10001, (0d0, 0d0)**2, (0d0, 0d0)**0, (0d0, 0d0)**(1d0, 2d0), (0d0, 0d0)**(0d0, 0d0)
end program constant_functions
