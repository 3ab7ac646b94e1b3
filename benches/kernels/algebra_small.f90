! Products of 5 by 5 matrices
! check -2.794166967500736E+04
module kernel
  use support
  implicit none
  integer, parameter :: m = 100
  real(8) :: a(5, 5, m), b(5, 5, m), c(5, 5, m)
contains
  subroutine setup()
    call fill(a, 25 * m)
    call fill(b, 25 * m)
    c = 0
  end subroutine

  subroutine run()
    integer :: i
    c = 0
    do i = 1, m
      call subtract(a(1, 1, i), b(1, 1, i), c(1, 1, i))
    end do
  end subroutine

  real(8) function check()
    check = total(c, 25 * m)
  end function

  subroutine subtract(a, b, c)
    real(8) :: a(5, 5), b(5, 5), c(5, 5)
    integer :: j
    do j = 1, 5
      c(1, j) = c(1, j) - a(1, 1) * b(1, j) - a(1, 2) * b(2, j) - a(1, 3) * b(3, j) - a(1, 4) * b(4, j) - a(1, 5) * b(5, j)
      c(2, j) = c(2, j) - a(2, 1) * b(1, j) - a(2, 2) * b(2, j) - a(2, 3) * b(3, j) - a(2, 4) * b(4, j) - a(2, 5) * b(5, j)
      c(3, j) = c(3, j) - a(3, 1) * b(1, j) - a(3, 2) * b(2, j) - a(3, 3) * b(3, j) - a(3, 4) * b(4, j) - a(3, 5) * b(5, j)
      c(4, j) = c(4, j) - a(4, 1) * b(1, j) - a(4, 2) * b(2, j) - a(4, 3) * b(3, j) - a(4, 4) * b(4, j) - a(4, 5) * b(5, j)
      c(5, j) = c(5, j) - a(5, 1) * b(1, j) - a(5, 2) * b(2, j) - a(5, 3) * b(3, j) - a(5, 4) * b(4, j) - a(5, 5) * b(5, j)
    end do
  end subroutine
end module
