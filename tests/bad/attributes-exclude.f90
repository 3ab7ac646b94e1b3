! Attributes that exclude each other, or lack what they need.
module m
  implicit none
  real, protected, parameter :: c = 1
  real, public, private :: x
  real, pointer, allocatable :: pa
  real, pointer, target :: pt
  real, contiguous :: g(10)
  real, contiguous, pointer :: h
  real, contiguous, pointer :: fine(:)
  namelist /late/ n
  integer :: n
  integer :: once = 1
  dimension once(3)
  real, external :: ext = 1
  real, external, save :: saved
  private
  private
  type t
    integer :: i = 1
  end type
contains
  function f()
    character(*) :: f
    f = 'a'
  end function
  function r() result(v)
    real, save :: v
    v = 1
  end function
  subroutine s(a, b, d, e, k, o)
    real, value :: a(3)
    real, value, intent(out) :: b
    character(*), value :: d
    type(t), intent(out) :: e(*)
    integer, intent(out) :: k
    integer, optional :: o
    real :: auto(k)
    character(o) :: text
    real, save :: a2
    private :: a2
    common /blk/ in_common
    real :: in_common
    save in_common
    namelist /whole/ e
  end subroutine
  pure pure subroutine p
  end subroutine
  pure impure subroutine q
  end subroutine
end module
program main
  implicit none
  integer, public :: i
  real, protected :: z
  public
end program
