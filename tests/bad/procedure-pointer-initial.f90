! What procedure pointers cannot point to from the start.
module m
  implicit none
  integer :: t
contains
  integer function f(i)
    integer, intent(in) :: i
    f = i
  end function
  subroutine s
    procedure(f), pointer :: a => t
    procedure(f), pointer :: b => g
    procedure(f), pointer :: c => s
    procedure(f), pointer :: d => none
    procedure(f), pointer :: e => f(1)
    procedure(f), pointer :: ok => f
    print *, a(1), b(1), c(1), d(1), e(1), ok(1)
  contains
    integer function g(i)
      integer, intent(in) :: i
      g = i
    end function
  end subroutine
end module
