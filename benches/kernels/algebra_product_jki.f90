! A matrix product along columns
! check 5.852073049396880E+05
module kernel
  use support
  implicit none
  integer, parameter :: n = 64
  real(8) :: a(n, n), b(n, n), c(n, n)
contains
  subroutine setup()
    call fill(a, n * n)
    call fill(b, n * n)
  end subroutine

  subroutine run()
    call product(a, b, c, n)
  end subroutine

  real(8) function check()
    check = total(c, n * n)
  end function

  subroutine product(a, b, c, n)
    integer :: n, i, j, k
    real(8) :: a(n, n), b(n, n), c(n, n)
    do j = 1, n
      do i = 1, n
        c(i, j) = 0
      end do
      do k = 1, n
        do i = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine
end module
