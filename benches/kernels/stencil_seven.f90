! A seven-point stencil in three dimensions
! check 1.544020857971173E+05
module kernel
  use support
  implicit none
  integer, parameter :: n = 34
  real(8) :: a(n, n, n), b(n, n, n)
contains
  subroutine setup()
    call fill(b, n * n * n)
  end subroutine

  subroutine run()
    call sweep(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n * n * n)
  end function

  subroutine sweep(a, b, n)
    integer :: n, i, j, k
    real(8) :: a(n, n, n), b(n, n, n)
    do k = 2, n - 1
      do j = 2, n - 1
        do i = 2, n - 1
          a(i, j, k) = b(i, j, k) * 0.4d0 + 0.1d0 * (b(i - 1, j, k) + b(i + 1, j, k) + b(i, j - 1, k) &
            + b(i, j + 1, k) + b(i, j, k - 1) + b(i, j, k + 1))
        end do
      end do
    end do
  end subroutine
end module
