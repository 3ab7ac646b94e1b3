! Livermore 18, explicit hydrodynamics in two dimensions
! check 6.317201852888840E+03
module kernel
  use support
  implicit none
  integer, parameter :: jn = 7, kn = 101
  real(8), dimension(kn, jn) :: za, zb, zm, zp, zq, zr, zu, zv, zz, zr0, zz0
contains
  subroutine setup()
    call fill(zm, jn * kn)
    call fill(zp, jn * kn)
    call fill(zq, jn * kn)
    call fill(zr0, jn * kn)
    call fill(zz0, jn * kn)
  end subroutine

  subroutine run()
    zu = 0
    zv = 0
    zr = zr0
    zz = zz0
    call hydro(za, zb, zm, zp, zq, zr, zu, zv, zz, jn, kn)
  end subroutine

  real(8) function check()
    check = total(zr, jn * kn) + total(zz, jn * kn) + total(zu, jn * kn)
  end function

  subroutine hydro(za, zb, zm, zp, zq, zr, zu, zv, zz, jn, kn)
    integer, intent(in) :: jn, kn
    real(8), dimension(kn, jn) :: za, zb, zm, zp, zq, zr, zu, zv, zz
    integer :: j, k
    real(8), parameter :: t = 0.0037d0, s = 0.0041d0
    do j = 2, jn - 1
      do k = 2, kn - 1
        za(k, j) = (zp(k - 1, j + 1) + zq(k - 1, j + 1) - zp(k - 1, j) - zq(k - 1, j)) * (zr(k, j) + zr(k - 1, j)) &
          / (zm(k - 1, j) + zm(k - 1, j + 1))
        zb(k, j) = (zp(k - 1, j) + zq(k - 1, j) - zp(k, j) - zq(k, j)) * (zr(k, j) + zr(k, j - 1)) &
          / (zm(k, j) + zm(k - 1, j))
      end do
    end do
    do j = 2, jn - 1
      do k = 2, kn - 1
        zu(k, j) = zu(k, j) + s * (za(k, j) * (zz(k, j) - zz(k + 1, j)) - za(k - 1, j) * (zz(k, j) - zz(k - 1, j)) &
          - zb(k, j) * (zz(k, j) - zz(k, j - 1)) + zb(k, j + 1) * (zz(k, j) - zz(k, j + 1)))
        zv(k, j) = zv(k, j) + s * (za(k, j) * (zr(k, j) - zr(k + 1, j)) - za(k - 1, j) * (zr(k, j) - zr(k - 1, j)) &
          - zb(k, j) * (zr(k, j) - zr(k, j - 1)) + zb(k, j + 1) * (zr(k, j) - zr(k, j + 1)))
      end do
    end do
    do j = 2, jn - 1
      do k = 2, kn - 1
        zr(k, j) = zr(k, j) + t * zu(k, j)
        zz(k, j) = zz(k, j) + t * zv(k, j)
      end do
    end do
  end subroutine
end module
