! Livermore 5, tridiagonal elimination below the diagonal
! check 1.497284266055557E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), y(n), z(n)
contains
  subroutine setup()
    call fill(y, n)
    call fill(z, n)
  end subroutine

  subroutine run()
    call eliminate(x, y, z, n)
  end subroutine

  real(8) function check()
    check = total(x, n)
  end function

  subroutine eliminate(x, y, z, n)
    integer, intent(in) :: n
    real(8), intent(in) :: y(n), z(n)
    real(8), intent(inout) :: x(n)
    integer :: i
    x(1) = 0.5d0
    do i = 2, n
      x(i) = z(i) * (y(i) - x(i - 1))
    end do
  end subroutine
end module
