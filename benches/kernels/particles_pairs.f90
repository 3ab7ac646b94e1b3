! Forces between all pairs
! check 3.526221837976627E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 60
  real(8) :: x(n), y(n), fx(n), fy(n)
contains
  subroutine setup()
    call fill(x, n)
    call fill(y, n)
  end subroutine

  subroutine run()
    integer :: i, j
    real(8) :: dx, dy, d
    fx = 0
    fy = 0
    do i = 1, n - 1
      do j = i + 1, n
        dx = x(i) - x(j)
        dy = y(i) - y(j)
        d = 1 / (dx * dx + dy * dy + 0.01d0)
        fx(i) = fx(i) + d * dx
        fy(i) = fy(i) + d * dy
        fx(j) = fx(j) - d * dx
        fy(j) = fy(j) - d * dy
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(fx, n) + 2 * total(fy, n)
  end function
end module
