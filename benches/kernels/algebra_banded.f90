! A banded matrix times a vector
! check 7.924387504483668E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 500, w = 3
  real(8) :: a(-w:w, n), x(n), y(n)
contains
  subroutine setup()
    call fill(a, (2 * w + 1) * n)
    call fill(x, n)
  end subroutine

  subroutine run()
    integer :: i, j
    y = 0
    do j = 1, n
      do i = max(1, j - w), min(n, j + w)
        y(i) = y(i) + a(i - j, j) * x(j)
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(y, n)
  end function
end module
