! Livermore 7, equation of state
! check 7.678463922346962E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 990
  real(8) :: x(n), y(n), z(n), u(n + 6)
contains
  subroutine setup()
    call fill(y, n)
    call fill(z, n)
    call fill(u, n + 6)
  end subroutine

  subroutine run()
    call state(x, y, z, u, n, 0.5d0, 0.3d0, 0.2d0)
  end subroutine

  real(8) function check()
    check = total(x, n)
  end function

  subroutine state(x, y, z, u, n, q, r, t)
    integer, intent(in) :: n
    real(8), intent(in) :: y(n), z(n), u(n + 6), q, r, t
    real(8), intent(out) :: x(n)
    integer :: k
    do k = 1, n
      x(k) = u(k) + r * (z(k) + r * y(k)) + t * (u(k + 3) + r * (u(k + 2) + r * u(k + 1)) &
        + t * (u(k + 6) + q * (u(k + 5) + q * u(k + 4))))
    end do
  end subroutine
end module
