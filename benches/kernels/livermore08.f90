! Livermore 8, ADI integration
! check 1.840226325024605E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 100
  real(8) :: u1(5, n + 1, 2), u2(5, n + 1, 2), u3(5, n + 1, 2), du1(n + 1), du2(n + 1), du3(n + 1)
contains
  subroutine setup()
    call fill(u1, 10 * (n + 1))
    call fill(u2, 10 * (n + 1))
    call fill(u3, 10 * (n + 1))
  end subroutine

  subroutine run()
    integer :: kx, ky
    real(8), parameter :: a11 = 0.1d0, a12 = 0.2d0, a13 = 0.3d0, a21 = 0.15d0, a22 = 0.25d0, a23 = 0.35d0, &
      a31 = 0.05d0, a32 = 0.02d0, a33 = 0.01d0, sig = 0.3d0
    do kx = 2, 3
      do ky = 2, n
        du1(ky) = u1(kx, ky + 1, 1) - u1(kx, ky - 1, 1)
        du2(ky) = u2(kx, ky + 1, 1) - u2(kx, ky - 1, 1)
        du3(ky) = u3(kx, ky + 1, 1) - u3(kx, ky - 1, 1)
        u1(kx, ky, 2) = u1(kx, ky, 1) + a11 * du1(ky) + a12 * du2(ky) + a13 * du3(ky) &
          + sig * (u1(kx + 1, ky, 1) - 2 * u1(kx, ky, 1) + u1(kx - 1, ky, 1))
        u2(kx, ky, 2) = u2(kx, ky, 1) + a21 * du1(ky) + a22 * du2(ky) + a23 * du3(ky) &
          + sig * (u2(kx + 1, ky, 1) - 2 * u2(kx, ky, 1) + u2(kx - 1, ky, 1))
        u3(kx, ky, 2) = u3(kx, ky, 1) + a31 * du1(ky) + a32 * du2(ky) + a33 * du3(ky) &
          + sig * (u3(kx + 1, ky, 1) - 2 * u3(kx, ky, 1) + u3(kx - 1, ky, 1))
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(u1, 10 * (n + 1)) + total(u2, 10 * (n + 1)) + 2 * total(u3, 10 * (n + 1))
  end function
end module
