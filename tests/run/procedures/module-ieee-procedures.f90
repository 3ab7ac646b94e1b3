! IEEE_ARITHMETIC, IEEE_EXCEPTIONS and IEEE_FEATURES: classes, values, flags, halting, rounding, status.
program ieee
  use, intrinsic :: ieee_features, only: ieee_datatype
  use, intrinsic :: ieee_exceptions
  use, intrinsic :: ieee_arithmetic
  implicit none
  real, volatile :: x, y, zero
  double precision, volatile :: d
  type(ieee_class_type) :: c
  type(ieee_round_type) :: mode
  type(ieee_status_type) :: status
  logical :: l, all(5)
  logical, parameter :: there = ieee_support_flag(ieee_overflow) .and. ieee_support_rounding(ieee_up)
  real, parameter :: values(4) = [0., -1., 1e-40, 3e38]
  real :: z(4)
  integer :: i

  print *, there, ieee_support_halting(ieee_invalid), ieee_support_divide(1.0)
  c = ieee_class(-2.0)
  print *, c == ieee_negative_normal, c /= ieee_quiet_nan, ieee_class(1d-310) == ieee_positive_denormal
  do i = 1, 4
    c = ieee_class(values(i))
    print *, c == ieee_positive_zero, c == ieee_negative_normal, c == ieee_positive_denormal, c == ieee_positive_normal
  end do
  print *, ieee_is_nan(ieee_value(1d0, ieee_quiet_nan)), ieee_class(ieee_value(1.0, ieee_negative_zero)) == ieee_negative_zero
  print *, ieee_logb(8.5), ieee_rem(5.0, 3d0), ieee_rem(5.0, 3.0), ieee_scalb(1.5, 3), ieee_scalb(1.5d0, -2_8), ieee_rint(2.5)
  z = ieee_scalb(values, 1)
  print *, z(1), z(2)

  call ieee_set_flag(ieee_all, .false.)
  zero = 0
  x = 1
  y = x / zero
  call ieee_get_flag(ieee_divide_by_zero, l)
  call ieee_get_flag(ieee_all, all)
  print *, l, all
  call ieee_get_status(status)
  call ieee_set_flag(ieee_divide_by_zero, .false.)
  call ieee_get_flag(ieee_divide_by_zero, l)
  print *, l
  call ieee_set_status(status)
  call ieee_get_flag(ieee_divide_by_zero, l)
  print *, l
  call ieee_set_flag(ieee_all, .false.)
  call ieee_get_halting_mode(ieee_overflow, l)
  print *, l

  call ieee_get_rounding_mode(mode)
  print *, mode == ieee_nearest
  call ieee_set_rounding_mode(ieee_up)
  d = 1
  d = d / 3
  print *, d > 0.333333333333333314d0, ieee_rint(2.25)
  call ieee_set_rounding_mode(ieee_down)
  d = 1
  d = d / 3
  print *, d <= 0.333333333333333315d0
  call ieee_set_rounding_mode(mode)
  print *, ieee_selected_real_kind(6), selected_real_kind(6, 30, 10)
end program
