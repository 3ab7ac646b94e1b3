! Declarations that contradict themselves or each other.
module m
  implicit none
  integer, dimension(3), parameter :: v = [1, 2, 3, 4]
  integer, parameter :: w = 2147483647 + 1, z = 1 / 0, deep = v(7)
  real(3) :: x
  integer :: x
  character(len=*) :: y
  real, allocatable :: q(3)
  integer, external :: f(2)
  intrinsic nosuch, sine
  type point
    real :: x, y
  end type point
  type(point) :: p
  real, pointer :: ptr
  integer :: i8 = 3_8, text = 'a', arr(2) = [1, 2, 3]
  interface
    integer function g(a)
      real, intent(in) :: a
      real :: a
    end function g
  end interface
  integer :: g
end module m
integer function dup(a, b, a)
  integer, intent(in) :: a, b
  integer, intent(out) :: c
  optional :: c
  parameter (b = 3)
  integer :: dup2
  entry second
  dup = 1
end function dup
subroutine dup
end subroutine dup
program one
end program one
program two
  use nosuchmodule
  use iso_fortran_env
end program two
