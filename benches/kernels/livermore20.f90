! Livermore 20, discrete ordinates transport
! check 2.308644932127283E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), y(n), z(n), g(n), u(n), v(n), w(n), vx(n), xx(n + 1)
contains
  subroutine setup()
    call fill(y, n)
    call fill(z, n)
    call fill(g, n)
    call fill(u, n)
    call fill(v, n)
    call fill(w, n)
    call fill(vx, n)
    vx = vx + 2
  end subroutine

  subroutine run()
    integer :: k
    real(8) :: di, dn
    xx(1) = 0.5d0
    do k = 1, n
      di = y(k) - g(k) / (xx(k) + 0.7d0)
      dn = 0.2d0
      if (di /= 0) then
        dn = z(k) / di
        if (0.4d0 < dn) dn = 0.4d0
        if (0.1d0 > dn) dn = 0.1d0
      end if
      x(k) = ((w(k) + v(k) * dn) * xx(k) + u(k)) / (vx(k) + v(k) * dn)
      xx(k + 1) = (x(k) - xx(k)) * dn + xx(k)
    end do
  end subroutine

  real(8) function check()
    check = total(xx, n + 1)
  end function
end module
