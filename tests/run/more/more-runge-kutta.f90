! Runge-Kutta with a procedure argument and an internal right-hand side
module ode
  implicit none
  integer, parameter :: wp = selected_real_kind(15)
  abstract interface
    function rhs(t, y) result(dy)
      import :: wp
      real(wp), intent(in) :: t
      real(wp), intent(in) :: y(:)
      real(wp) :: dy(size(y))
    end function
  end interface
contains
  subroutine rk4(f, t, y, h, n)
    procedure(rhs) :: f
    real(wp), intent(inout) :: t, y(:)
    real(wp), intent(in) :: h
    integer, intent(in) :: n
    real(wp), dimension(size(y)) :: k1, k2, k3, k4
    integer :: i
    do i = 1, n
      k1 = f(t, y)
      k2 = f(t + h/2, y + h/2*k1)
      k3 = f(t + h/2, y + h/2*k2)
      k4 = f(t + h, y + h*k3)
      y = y + h/6*(k1 + 2*k2 + 2*k3 + k4)
      t = t + h
    end do
  end subroutine
end module
program p
  use ode
  implicit none
  real(wp) :: t, y(2), omega
  integer :: calls
  omega = 2.0_wp
  calls = 0
  t = 0
  y = [1.0_wp, 0.0_wp]
  call rk4(oscillator, t, y, 0.01_wp, 100)
  print '(3f12.8, i6)', t, y, calls
contains
  function oscillator(t, y) result(dy)
    real(wp), intent(in) :: t
    real(wp), intent(in) :: y(:)
    real(wp) :: dy(size(y))
    calls = calls + 1
    dy = [y(2), -omega**2*y(1)]
  end function
end program
