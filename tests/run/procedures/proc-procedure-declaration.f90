! ABSTRACT INTERFACE and PROCEDURE(interface) dummies.
module integrate
  implicit none
  abstract interface
    function integrand(x) result(y)
      real(8), intent(in) :: x
      real(8) :: y
    end function
    subroutine action(i, v)
      integer, intent(in) :: i
      real(8), intent(inout) :: v(:)
    end subroutine
  end interface
contains
  function simpson(f, a, b, n) result(s)
    procedure(integrand) :: f
    real(8), intent(in) :: a, b
    integer, intent(in) :: n
    real(8) :: s, h
    integer :: i
    h = (b - a)/n
    s = f(a) + f(b)
    do i = 1, n - 1
      s = s + merge(4d0, 2d0, mod(i, 2) == 1)*f(a + i*h)
    end do
    s = s*h/3
  end function
  subroutine apply(act, v)
    procedure(action) :: act
    real(8), intent(inout) :: v(:)
    integer :: i
    do i = 1, 3
      call act(i, v)
    end do
  end subroutine
  function cube(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = x**3
  end function
  subroutine bump(i, v)
    integer, intent(in) :: i
    real(8), intent(inout) :: v(:)
    v(i) = v(i) + 10*i
  end subroutine
end module
program p
  use integrate
  implicit none
  real(8) :: v(4)
  procedure(integrand) :: outside
  procedure(real(8)) :: plain
  print '(f12.8)', simpson(cube, 0d0, 2d0, 10)
  print '(f12.8)', simpson(outside, 0d0, 1d0, 10)
  print *, plain(2d0)
  v = 1
  call apply(bump, v)
  print *, v
end program
function outside(x) result(y)
  real(8), intent(in) :: x
  real(8) :: y
  y = 1/(1 + x*x)
end function
real(8) function plain(x)
  real(8) :: x
  plain = x + 1
end function
