! EPSILON TINY HUGE, SPACING, NEAREST, EXPONENT, FRACTION, SCALE, SET_EXPONENT.
program num_real_inquiry
  implicit none
  real :: r
  double precision :: d
  r = 1.0
  d = 6.5d0
  print *, epsilon(r), epsilon(d), tiny(r), tiny(d), huge(r), huge(d)
  print *, digits(d), radix(d), maxexponent(r), minexponent(d), precision(r), range(d)
  print *, exponent(d), fraction(d), scale(d, -2), set_exponent(d, 1), spacing(d), rrspacing(d)
  print *, nearest(1.0d0, 1.0d0), nearest(1.0, -1.0)
end program
