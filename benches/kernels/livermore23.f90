! Livermore 23, implicit hydrodynamics in two dimensions
! check 4.125933657377548E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 101
  real(8), dimension(n, 7) :: za, za0, zb, zr, zu, zv, zz
contains
  subroutine setup()
    call fill(za0, n * 7)
    call fill(zb, n * 7)
    call fill(zr, n * 7)
    call fill(zu, n * 7)
    call fill(zv, n * 7)
    call fill(zz, n * 7)
  end subroutine

  subroutine run()
    integer :: j, k
    real(8) :: qa
    za = za0
    do j = 2, 6
      do k = 2, n - 1
        qa = za(k, j + 1) * zr(k, j) + za(k, j - 1) * zb(k, j) + za(k + 1, j) * zu(k, j) + za(k - 1, j) * zv(k, j) + zz(k, j)
        za(k, j) = za(k, j) + 0.175d0 * (qa - za(k, j))
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(za, n * 7)
  end function
end module
