! A nine-point stencil with weights
! check 1.757282280546669E+05
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
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = 0.5d0 * b(i, j) + 0.1d0 * (b(i - 1, j) + b(i + 1, j) + b(i, j - 1) + b(i, j + 1)) &
          + 0.025d0 * (b(i - 1, j - 1) + b(i + 1, j - 1) + b(i - 1, j + 1) + b(i + 1, j + 1))
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function
end module
