module ieee_exceptions
  implicit none
  type ieee_flag_type
    private
    integer(4) :: hidden
  end type
  type ieee_status_type
    private
    integer(8) :: hidden(8)
  end type
  type(ieee_flag_type), parameter :: ieee_invalid = ieee_flag_type(1), ieee_overflow = ieee_flag_type(2), &
    ieee_divide_by_zero = ieee_flag_type(3), ieee_underflow = ieee_flag_type(4), ieee_inexact = ieee_flag_type(5)
  type(ieee_flag_type), parameter :: ieee_usual(3) = [ieee_overflow, ieee_divide_by_zero, ieee_invalid], &
    ieee_all(5) = [ieee_overflow, ieee_divide_by_zero, ieee_invalid, ieee_underflow, ieee_inexact]
  interface operator(==)
    module procedure ieee_same_flag
  end interface
  interface operator(/=)
    module procedure ieee_other_flag
  end interface
  private :: ieee_same_flag, ieee_other_flag
contains
  elemental subroutine ieee_get_flag(flag, flag_value)
    type(ieee_flag_type), intent(in) :: flag
    logical, intent(out) :: flag_value
  end subroutine
  impure elemental subroutine ieee_set_flag(flag, flag_value)
    type(ieee_flag_type), intent(in) :: flag
    logical, intent(in) :: flag_value
  end subroutine
  elemental subroutine ieee_get_halting_mode(flag, halting)
    type(ieee_flag_type), intent(in) :: flag
    logical, intent(out) :: halting
  end subroutine
  impure elemental subroutine ieee_set_halting_mode(flag, halting)
    type(ieee_flag_type), intent(in) :: flag
    logical, intent(in) :: halting
  end subroutine
  subroutine ieee_get_status(status_value)
    type(ieee_status_type), intent(out) :: status_value
  end subroutine
  subroutine ieee_set_status(status_value)
    type(ieee_status_type), intent(in) :: status_value
  end subroutine
  elemental logical function ieee_same_flag(x, y)
    type(ieee_flag_type), intent(in) :: x, y
  end function
  elemental logical function ieee_other_flag(x, y)
    type(ieee_flag_type), intent(in) :: x, y
  end function
end module
