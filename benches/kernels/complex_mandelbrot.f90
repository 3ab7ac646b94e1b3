! Points of the Mandelbrot set
! check 3.260200000000000E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 16
  integer :: k(n, n)
contains
  subroutine setup()
    k = 0
  end subroutine

  subroutine run()
    integer :: i, j, it
    complex(8) :: z, c
    do j = 1, n
      do i = 1, n
        c = cmplx(-2 + 3d0 * i / n, -1.5d0 + 3d0 * j / n, 8)
        z = 0
        do it = 1, 60
          if (real(z) ** 2 + aimag(z) ** 2 > 4) exit
          z = z * z + c
        end do
        k(i, j) = it
      end do
    end do
  end subroutine

  real(8) function check()
    check = total_integers(k, n * n)
  end function
end module
