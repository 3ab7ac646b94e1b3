! Simpson's rule
! check 3.469069236139725E-01
module kernel
  use support
  implicit none
  integer, parameter :: n = 500
  real(8) :: s
contains
  subroutine setup()
    s = 0
  end subroutine

  subroutine run()
    integer :: i
    real(8) :: h, x
    h = 1d0 / n
    s = 0
    do i = 1, n - 1, 2
      x = i * h
      s = s + 4 * x / (1 + x * x) + 2 * (x + h) / (1 + (x + h) ** 2)
    end do
    s = s * h / 3
  end subroutine

  real(8) function check()
    check = s
  end function
end module
