! IEEE_ARITHMETIC for REAL(16).
program num_quad_ieee
  use, intrinsic :: ieee_arithmetic
  implicit none
  real(16) :: x, y
  type(ieee_class_type) :: c
  x = 2.5_16
  print *, ieee_support_datatype(x), ieee_is_nan(x), ieee_is_finite(x), ieee_is_normal(x), ieee_is_negative(-x)
  y = ieee_value(x, ieee_quiet_nan)
  print *, ieee_is_nan(y), ieee_unordered(x, y), ieee_is_finite(y)
  y = ieee_value(x, ieee_negative_inf)
  print *, y, ieee_is_finite(y), ieee_is_negative(y)
  c = ieee_class(tiny(x) / 2)
  print *, c == ieee_positive_denormal, ieee_class(-x) == ieee_negative_normal, ieee_class(0 * x) == ieee_positive_zero
  print *, ieee_copy_sign(x, -1.0_16), ieee_logb(x), ieee_rint(x), ieee_scalb(x, 3), ieee_rem(x, 0.75_16)
  print *, ieee_next_after(x, 3.0_16) - x, isnan(x)
  print *, ieee_selected_real_kind(30, 4000) == 16, ieee_value(x, ieee_positive_normal)
end program
