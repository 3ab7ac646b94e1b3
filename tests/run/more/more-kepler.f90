! Kepler, Newton iteration with module constants, elemental and array functions
module constants
  implicit none
  integer, parameter :: dp = kind(1.0d0)
  real(dp), parameter :: pi = 3.141592653589793_dp, tol = 1e-12_dp
  real(dp), dimension(3), parameter :: weights = [5, 8, 5]/9.0_dp
end module
module kepler
  use constants
  implicit none
contains
  elemental function eccentric(m, e) result(x)
    real(dp), intent(in) :: m, e
    real(dp) :: x, dx
    integer :: k
    x = m
    do k = 1, 50
      dx = (x - e*sin(x) - m)/(1 - e*cos(x))
      x = x - dx
      if (abs(dx) < tol) exit
    end do
  end function
  pure function gauss(f3) result(s)
    real(dp), intent(in) :: f3(3)
    real(dp) :: s
    s = dot_product(weights, f3)
  end function
end module
program p
  use kepler
  use constants, only: wp => dp
  implicit none
  real(wp) :: m(4)
  integer :: i
  m = [(i*pi/5, i=1, 4)]
  print '(4f12.8)', eccentric(m, 0.3_wp)
  print '(f12.8)', gauss([1.0_dp, 2.0_dp, 3.0_dp])
  print '(a, es12.4)', 'max residual', maxval(abs(eccentric(m, 0.3_wp) - 0.3_wp*sin(eccentric(m, 0.3_wp)) - m)) + 1
end program
