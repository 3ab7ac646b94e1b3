module ieee_features
  implicit none
  type ieee_features_type
    private
    integer(4) :: hidden
  end type
  type(ieee_features_type), parameter :: ieee_datatype = ieee_features_type(0), ieee_denormal = ieee_features_type(1), &
    ieee_subnormal = ieee_features_type(1), ieee_divide = ieee_features_type(2), ieee_halting = ieee_features_type(3), &
    ieee_inexact_flag = ieee_features_type(4), ieee_inf = ieee_features_type(5), ieee_invalid_flag = ieee_features_type(6), &
    ieee_nan = ieee_features_type(7), ieee_rounding = ieee_features_type(8), ieee_sqrt = ieee_features_type(9), &
    ieee_underflow_flag = ieee_features_type(10)
end module
