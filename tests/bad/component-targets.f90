! Targets of components from the start that are none.
module m
  implicit none
  integer :: plain
  integer, target :: t, arr(3)
  type box
    integer, pointer :: a => plain
    real, pointer :: b => t
    integer, pointer :: c => arr
    integer, pointer :: d => arr(5)
    integer, pointer :: e => unknown
    integer, pointer :: ok => arr(2)
    procedure(f), pointer, nopass :: g => t
    procedure(f), pointer, nopass :: h => s
  end type
  type(box), parameter :: constant = box(ok=null())
contains
  integer function f(i)
    integer, intent(in) :: i
    f = i
  end function
  subroutine s
  end subroutine
end module
