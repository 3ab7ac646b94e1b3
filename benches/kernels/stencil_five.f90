! A five-point stencil
! check 1.757748979485035E+05
module kernel
  use support
  implicit none
  integer, parameter :: n = 200
  real(8) :: a(n, n), b(n, n)
contains
  subroutine setup()
    call fill(b, n * n)
  end subroutine

  subroutine run()
    call jacobi(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function

  subroutine jacobi(a, b, n)
    integer :: n, i, j
    real(8) :: a(n, n), b(n, n)
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = 0.25d0 * (b(i - 1, j) + b(i + 1, j) + b(i, j - 1) + b(i, j + 1))
      end do
    end do
  end subroutine
end module
