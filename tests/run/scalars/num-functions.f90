! The mathematical functions, printed to few digits: libraries differ in the last.
program num_functions
  implicit none
  double precision :: x
  real :: r
  integer :: i
  do i = 1, 3
    x = 0.25d0 * i
    r = real(x)
    write (*, '(6f10.6)') sin(x), cos(x), tan(x), asin(x), acos(x), atan(x)
    write (*, '(6f10.6)') exp(x), log(x), log10(x), sinh(x), cosh(x), tanh(x)
    write (*, '(6f10.5)') sin(r), cos(r), exp(r), alog(r), sqrt(r), atan2(r, -1.0)
  end do
  write (*, '(4f10.6)') atan2(1.0d0, 1.0d0), atan2(-1.0d0, 0.0d0), dsqrt(2.0d0), dexp(1.0d0)
  print *, sqrt(2.25d0), sqrt(16.0), dprod(1.5, 2.0), exp(0.0d0), log(1.0d0), 2.0d0 ** 0.0d0
end program
