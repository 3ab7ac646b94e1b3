! Livermore 22, Planckian distribution
! check 3.521251542716422E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 101
  real(8) :: u(n), v(n), w(n), x(n), y(n)
contains
  subroutine setup()
    call fill(u, n)
    call fill(v, n)
    v = v + 0.1d0
    call fill(x, n)
  end subroutine

  subroutine run()
    integer :: k
    real(8), parameter :: expmax = 20
    u(n) = 0.99d0 * expmax * v(n)
    do k = 1, n
      y(k) = u(k) / v(k)
      w(k) = x(k) / (exp(y(k)) - 1)
    end do
  end subroutine

  real(8) function check()
    check = total(w, n)
  end function
end module
