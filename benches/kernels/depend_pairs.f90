! Pairs of neighbouring elements, written and read again
! check -1.360985193416476E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(3, n), f(3, n)
contains
  subroutine setup()
    call fill(x, 3 * n)
  end subroutine

  subroutine run()
    integer :: i
    f = 0
    do i = 1, n - 1
      f(1, i) = f(1, i) + x(1, i + 1) - x(1, i)
      f(2, i) = f(2, i) + x(2, i + 1) - x(2, i)
      f(3, i) = f(3, i) + x(3, i + 1) - x(3, i)
      f(1, i + 1) = f(1, i + 1) - x(1, i)
      f(2, i + 1) = f(2, i + 1) - x(2, i)
      f(3, i + 1) = f(3, i + 1) - x(3, i)
    end do
  end subroutine

  real(8) function check()
    check = total(f, 3 * n)
  end function
end module
