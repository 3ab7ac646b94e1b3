! A vector plus a multiple of another
! check 5.847430302110308E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), y(n), y0(n)
contains
  subroutine setup()
    call fill(x, n)
    call fill(y0, n)
  end subroutine

  subroutine run()
    y = y0
    call axpy(n, 0.3d0, x, y)
  end subroutine

  real(8) function check()
    check = total(y, n)
  end function

  subroutine axpy(n, a, x, y)
    integer :: n, i
    real(8) :: a, x(n), y(n)
    do i = 1, n
      y(i) = y(i) + a * x(i)
    end do
  end subroutine
end module
