! ieee, isnan and huge things
program p
  use, intrinsic :: ieee_arithmetic
  implicit none
  real :: x, y
  real(8) :: d
  x = ieee_value(x, ieee_quiet_nan)
  print *, ieee_is_nan(x), ieee_is_finite(1.0), isnan(x)
  y = ieee_value(1.0, ieee_positive_inf)
  print *, ieee_is_finite(y), y > huge(y), ieee_is_normal(1.0), ieee_is_negative(-1.0)
  d = ieee_value(d, ieee_negative_inf)
  print *, d, ieee_support_nan(x), ieee_copy_sign(2.0, -1.0)
end program
