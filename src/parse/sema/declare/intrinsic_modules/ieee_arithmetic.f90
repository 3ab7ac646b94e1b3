module ieee_arithmetic
  use, intrinsic :: ieee_functions
  use, intrinsic :: ieee_exceptions
  implicit none
  type ieee_class_type
    private
    integer(4) :: hidden
  end type
  type ieee_round_type
    private
    integer(4) :: hidden
  end type
  type(ieee_class_type), parameter :: ieee_signaling_nan = ieee_class_type(1)
  type(ieee_class_type), parameter :: ieee_quiet_nan = ieee_class_type(2)
  type(ieee_class_type), parameter :: ieee_negative_inf = ieee_class_type(3)
  type(ieee_class_type), parameter :: ieee_negative_normal = ieee_class_type(4)
  type(ieee_class_type), parameter :: ieee_negative_denormal = ieee_class_type(5)
  type(ieee_class_type), parameter :: ieee_negative_subnormal = ieee_class_type(5)
  type(ieee_class_type), parameter :: ieee_negative_zero = ieee_class_type(6)
  type(ieee_class_type), parameter :: ieee_positive_zero = ieee_class_type(7)
  type(ieee_class_type), parameter :: ieee_positive_denormal = ieee_class_type(8)
  type(ieee_class_type), parameter :: ieee_positive_subnormal = ieee_class_type(8)
  type(ieee_class_type), parameter :: ieee_positive_normal = ieee_class_type(9)
  type(ieee_class_type), parameter :: ieee_positive_inf = ieee_class_type(10)
  type(ieee_class_type), parameter :: ieee_other_value = ieee_class_type(0)
  type(ieee_round_type), parameter :: ieee_nearest = ieee_round_type(1)
  type(ieee_round_type), parameter :: ieee_to_zero = ieee_round_type(2)
  type(ieee_round_type), parameter :: ieee_up = ieee_round_type(3)
  type(ieee_round_type), parameter :: ieee_down = ieee_round_type(4)
  type(ieee_round_type), parameter :: ieee_other = ieee_round_type(0)
  interface operator(==)
    module procedure ieee_same_class, ieee_same_round
  end interface
  interface operator(/=)
    module procedure ieee_other_class, ieee_other_round
  end interface
  interface ieee_class
    module procedure ieee_class_4, ieee_class_8, ieee_class_16
  end interface
  interface ieee_value
    module procedure ieee_value_4, ieee_value_8, ieee_value_16
  end interface
  interface ieee_logb
    module procedure ieee_logb_4, ieee_logb_8, ieee_logb_16
  end interface
  interface ieee_rint
    module procedure ieee_rint_4, ieee_rint_8, ieee_rint_16
  end interface
  interface ieee_scalb
    module procedure ieee_scalb_4_1, ieee_scalb_4_2, ieee_scalb_4_4, ieee_scalb_4_8
    module procedure ieee_scalb_8_1, ieee_scalb_8_2, ieee_scalb_8_4, ieee_scalb_8_8
    module procedure ieee_scalb_16_1, ieee_scalb_16_2, ieee_scalb_16_4, ieee_scalb_16_8
  end interface
  interface ieee_rem
    module procedure ieee_rem_4_4, ieee_rem_4_8, ieee_rem_8_4, ieee_rem_8_8
    module procedure ieee_rem_4_16, ieee_rem_8_16, ieee_rem_16_4, ieee_rem_16_8, ieee_rem_16_16
  end interface
  private :: ieee_same_class, ieee_same_round, ieee_other_class, ieee_other_round, ieee_class_4, ieee_class_8
  private :: ieee_value_4, ieee_value_8, ieee_logb_4, ieee_logb_8, ieee_rint_4, ieee_rint_8
  private :: ieee_rem_4_4, ieee_rem_4_8, ieee_rem_8_4, ieee_rem_8_8
  private :: ieee_scalb_4_1, ieee_scalb_4_2, ieee_scalb_4_4, ieee_scalb_4_8
  private :: ieee_scalb_8_1, ieee_scalb_8_2, ieee_scalb_8_4, ieee_scalb_8_8
  private :: ieee_class_16, ieee_value_16, ieee_logb_16, ieee_rint_16
  private :: ieee_scalb_16_1, ieee_scalb_16_2, ieee_scalb_16_4, ieee_scalb_16_8
  private :: ieee_rem_4_16, ieee_rem_8_16, ieee_rem_16_4, ieee_rem_16_8, ieee_rem_16_16
contains
  elemental logical function ieee_same_class(x, y)
    type(ieee_class_type), intent(in) :: x, y
  end function
  elemental logical function ieee_other_class(x, y)
    type(ieee_class_type), intent(in) :: x, y
  end function
  elemental logical function ieee_same_round(x, y)
    type(ieee_round_type), intent(in) :: x, y
  end function
  elemental logical function ieee_other_round(x, y)
    type(ieee_round_type), intent(in) :: x, y
  end function
  elemental function ieee_class_4(x) result(c)
    real(4), intent(in) :: x
    type(ieee_class_type) :: c
  end function
  elemental function ieee_value_4(x, class) result(v)
    real(4), intent(in) :: x
    type(ieee_class_type), intent(in) :: class
    real(4) :: v
  end function
  elemental real(4) function ieee_logb_4(x)
    real(4), intent(in) :: x
  end function
  impure elemental real(4) function ieee_rint_4(x)
    real(4), intent(in) :: x
  end function
  elemental real(4) function ieee_scalb_4_1(x, i)
    real(4), intent(in) :: x
    integer(1), intent(in) :: i
  end function
  elemental real(4) function ieee_scalb_4_2(x, i)
    real(4), intent(in) :: x
    integer(2), intent(in) :: i
  end function
  elemental real(4) function ieee_scalb_4_4(x, i)
    real(4), intent(in) :: x
    integer(4), intent(in) :: i
  end function
  elemental real(4) function ieee_scalb_4_8(x, i)
    real(4), intent(in) :: x
    integer(8), intent(in) :: i
  end function
  elemental function ieee_class_8(x) result(c)
    real(8), intent(in) :: x
    type(ieee_class_type) :: c
  end function
  elemental function ieee_value_8(x, class) result(v)
    real(8), intent(in) :: x
    type(ieee_class_type), intent(in) :: class
    real(8) :: v
  end function
  elemental real(8) function ieee_logb_8(x)
    real(8), intent(in) :: x
  end function
  impure elemental real(8) function ieee_rint_8(x)
    real(8), intent(in) :: x
  end function
  elemental real(8) function ieee_scalb_8_1(x, i)
    real(8), intent(in) :: x
    integer(1), intent(in) :: i
  end function
  elemental real(8) function ieee_scalb_8_2(x, i)
    real(8), intent(in) :: x
    integer(2), intent(in) :: i
  end function
  elemental real(8) function ieee_scalb_8_4(x, i)
    real(8), intent(in) :: x
    integer(4), intent(in) :: i
  end function
  elemental real(8) function ieee_scalb_8_8(x, i)
    real(8), intent(in) :: x
    integer(8), intent(in) :: i
  end function
  elemental function ieee_class_16(x) result(c)
    real(16), intent(in) :: x
    type(ieee_class_type) :: c
  end function
  elemental function ieee_value_16(x, class) result(v)
    real(16), intent(in) :: x
    type(ieee_class_type), intent(in) :: class
    real(16) :: v
  end function
  elemental real(16) function ieee_logb_16(x)
    real(16), intent(in) :: x
  end function
  impure elemental real(16) function ieee_rint_16(x)
    real(16), intent(in) :: x
  end function
  elemental real(16) function ieee_scalb_16_1(x, i)
    real(16), intent(in) :: x
    integer(1), intent(in) :: i
  end function
  elemental real(16) function ieee_scalb_16_2(x, i)
    real(16), intent(in) :: x
    integer(2), intent(in) :: i
  end function
  elemental real(16) function ieee_scalb_16_4(x, i)
    real(16), intent(in) :: x
    integer(4), intent(in) :: i
  end function
  elemental real(16) function ieee_scalb_16_8(x, i)
    real(16), intent(in) :: x
    integer(8), intent(in) :: i
  end function
  elemental real(4) function ieee_rem_4_4(x, y)
    real(4), intent(in) :: x
    real(4), intent(in) :: y
  end function
  elemental real(8) function ieee_rem_4_8(x, y)
    real(4), intent(in) :: x
    real(8), intent(in) :: y
  end function
  elemental real(8) function ieee_rem_8_4(x, y)
    real(8), intent(in) :: x
    real(4), intent(in) :: y
  end function
  elemental real(8) function ieee_rem_8_8(x, y)
    real(8), intent(in) :: x
    real(8), intent(in) :: y
  end function
  elemental real(16) function ieee_rem_4_16(x, y)
    real(4), intent(in) :: x
    real(16), intent(in) :: y
  end function
  elemental real(16) function ieee_rem_8_16(x, y)
    real(8), intent(in) :: x
    real(16), intent(in) :: y
  end function
  elemental real(16) function ieee_rem_16_4(x, y)
    real(16), intent(in) :: x
    real(4), intent(in) :: y
  end function
  elemental real(16) function ieee_rem_16_8(x, y)
    real(16), intent(in) :: x
    real(8), intent(in) :: y
  end function
  elemental real(16) function ieee_rem_16_16(x, y)
    real(16), intent(in) :: x
    real(16), intent(in) :: y
  end function
  subroutine ieee_get_rounding_mode(round_value)
    type(ieee_round_type), intent(out) :: round_value
  end subroutine
  subroutine ieee_set_rounding_mode(round_value)
    type(ieee_round_type), intent(in) :: round_value
  end subroutine
  subroutine ieee_get_underflow_mode(gradual)
    logical, intent(out) :: gradual
  end subroutine
  subroutine ieee_set_underflow_mode(gradual)
    logical, intent(in) :: gradual
  end subroutine
end module
