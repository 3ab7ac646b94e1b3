! What cannot define an assignment or an operator.
module m
  implicit none
  type t
    integer :: i
  end type
  interface assignment(=)
    module procedure first_in, three, second_out, numbers, is_function
  end interface
  interface operator(.plus.)
    module procedure changes, maybe, is_subroutine
  end interface
contains
  subroutine first_in(a, b)
    type(t), intent(in) :: a
    integer, intent(in) :: b
  end subroutine
  subroutine three(a, b, c)
    type(t), intent(out) :: a
    real, intent(in) :: b, c
  end subroutine
  subroutine second_out(a, b)
    type(t), intent(out) :: a
    logical, intent(inout) :: b
  end subroutine
  subroutine numbers(a, b)
    integer, intent(out) :: a
    real, intent(in) :: b
    a = int(b)
  end subroutine
  integer function is_function(a, b)
    type(t), intent(in) :: a
    character(*), intent(in) :: b
    is_function = len(b) + a%i
  end function
  integer function changes(a, b)
    type(t), intent(in) :: a
    type(t), intent(inout) :: b
    changes = a%i + b%i
  end function
  integer function maybe(a, b)
    type(t), intent(in) :: a
    integer, intent(in), optional :: b
    maybe = a%i
  end function
  subroutine is_subroutine(a, b)
    type(t), intent(in) :: a
    real, intent(in) :: b
  end subroutine
end module
