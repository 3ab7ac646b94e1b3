! Livermore 1, hydro fragment
! check 5.178571164931856E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), y(n), z(n + 11)
contains
  subroutine setup()
    call fill(y, n)
    call fill(z, n + 11)
  end subroutine

  subroutine run()
    call hydro(x, y, z, n, 0.5d0, 0.2d0, 0.1d0)
  end subroutine

  real(8) function check()
    check = total(x, n)
  end function

  subroutine hydro(x, y, z, n, q, r, t)
    integer, intent(in) :: n
    real(8), intent(in) :: y(n), z(n + 11), q, r, t
    real(8), intent(out) :: x(n)
    integer :: k
    do k = 1, n
      x(k) = q + y(k) * (r * z(k + 10) + t * z(k + 11))
    end do
  end subroutine
end module
