! USE renames variables, procedures, types and defined operators.
module points
  implicit none
  type point
    real :: x = 0, y = 0
  end type
  interface operator(.dot.)
    module procedure dot
  end interface
  interface operator(+)
    module procedure add
  end interface
  integer :: counter = 0
contains
  real function dot(a, b)
    type(point), intent(in) :: a, b
    dot = a%x*b%x + a%y*b%y
  end function
  type(point) function add(a, b)
    type(point), intent(in) :: a, b
    add = point(a%x + b%x, a%y + b%y)
  end function
  subroutine bump(n)
    integer, intent(in), optional :: n
    if (present(n)) then
      counter = counter + n
    else
      counter = counter + 1
    end if
  end subroutine
end module
program module_rename_operator
  use points, vec => point, operator(.inner.) => operator(.dot.), hits => counter, more => bump
  implicit none
  type(vec) :: a, b
  integer :: counter
  counter = -7
  a = vec(1.0, 2.0)
  b = a + vec(y=3.0)
  print *, a .inner. b, b%x, b%y
  call more
  call more(n=4)
  print *, hits, counter
end program
