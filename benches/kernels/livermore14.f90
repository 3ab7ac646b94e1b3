! Livermore 14, particles in a cell in one dimension
! check 1.662471632140796E+07
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: vx(n), xx(n), xi(n), ex1(n), dex1(n), grd(n), ex(n), dex(n), rx(n), rh(2050), x0(n)
  integer :: ix(n), ir(n)
contains
  subroutine setup()
    call fill(grd, n)
    grd = grd * 500 + 1
    call fill(ex, n)
    call fill(dex, n)
    call fill(x0, n)
  end subroutine

  subroutine run()
    integer :: k
    rh = 0
    do k = 1, n
      vx(k) = 0
      xx(k) = x0(k)
      ix(k) = int(grd(k))
      xi(k) = real(ix(k), 8)
      ex1(k) = ex(ix(k))
      dex1(k) = dex(ix(k))
    end do
    do k = 1, n
      vx(k) = vx(k) + ex1(k) + (xx(k) - xi(k)) * dex1(k)
      xx(k) = xx(k) + vx(k) + 0.1d0
      ir(k) = int(xx(k))
      rx(k) = xx(k) - ir(k)
      ir(k) = iand(ir(k), 2047) + 1
      xx(k) = rx(k) + ir(k)
    end do
    do k = 1, n
      rh(ir(k)) = rh(ir(k)) + 1 - rx(k)
      rh(ir(k) + 1) = rh(ir(k) + 1) + rx(k)
    end do
  end subroutine

  real(8) function check()
    check = total(rh, 2050) + total(xx, n)
  end function
end module
