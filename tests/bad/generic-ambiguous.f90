! Specific procedures that a call cannot tell apart.
module ambiguous
  implicit none
  type pair
    integer :: a
  end type
  interface same
    module procedure one, two
  end interface
  interface apart
    module procedure one, three, four, seven
  end interface
  interface optional_only
    module procedure one, five
  end interface
  interface mixed
    module procedure one, six
  end interface
  interface operator(+)
    module procedure plus, add
  end interface
  interface by_name
    module procedure first, second
  end interface
contains
  subroutine one(a)
    integer, intent(in) :: a
  end subroutine
  subroutine two(b)
    integer, intent(in) :: b
  end subroutine
  subroutine three(a)
    real, intent(in) :: a
  end subroutine
  subroutine four(a)
    integer, intent(in) :: a(:)
  end subroutine
  subroutine five(a, b)
    integer, intent(in) :: a
    integer, intent(in), optional :: b
  end subroutine
  integer function six(a)
    character, intent(in) :: a
    six = ichar(a)
  end function
  subroutine seven(a, b)
    integer, intent(in) :: a
    real, intent(in) :: b
  end subroutine
  type(pair) function plus(x, y)
    type(pair), intent(in) :: x, y
    plus = pair(x%a + y%a)
  end function
  type(pair) function add(y, x)
    type(pair), intent(in) :: x, y
    add = pair(x%a - y%a)
  end function
  subroutine first(x, i)
    real, intent(in) :: x
    integer, intent(in) :: i
  end subroutine
  subroutine second(i, x)
    integer, intent(in) :: i
    real, intent(in) :: x
  end subroutine
end module
