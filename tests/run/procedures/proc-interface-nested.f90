! IMPORT in an interface body within an interface body; interfaces that are declared further down; intrinsic targets
module kinds
  implicit none
  integer, parameter :: wp = kind(1d0)
end module
module calls
  use kinds
  implicit none
  type box
    procedure(later), pointer, nopass :: f => null()
  end type
  interface
    subroutine twice(f, x) 
      import :: wp
      implicit none
      interface
        real(wp) function f(y)
          import :: wp
          real(wp), intent(in) :: y
        end function
      end interface
      real(wp), intent(inout) :: x
    end subroutine
  end interface
  procedure(later), pointer :: p
  abstract interface
    real(wp) function later(y)
      import :: wp
      real(wp), intent(in) :: y
    end function
  end interface
contains
  real(wp) function square(y)
    real(wp), intent(in) :: y
    square = y*y
  end function
end module
subroutine twice(f, x)
  implicit none
  interface
    double precision function f(y)
      double precision, intent(in) :: y
    end function
  end interface
  double precision, intent(inout) :: x
  x = f(f(x))
end subroutine
program main
  use calls
  implicit none
  procedure(real), pointer :: s
  real, external, pointer :: e
  type(box) :: b
  real(wp) :: x
  intrinsic :: cos, sqrt
  x = 3d0
  call twice(square, x)
  print *, x
  p => square
  b = box(p)
  print *, p(2d0), b%f(3d0), associated(b%f, square)
  s => cos
  print '(f6.4)', s(0.)
  e => sqrt
  print '(f6.4)', e(4.)
  e => own
  print *, e(2.)
contains
  real function own(a)
    real :: a
    own = a + real(x)
  end function
end program
