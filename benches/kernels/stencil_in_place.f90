! Successive over-relaxation
! check 4.483372363447657E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 100
  real(8) :: a(n, n), b(n, n)
contains
  subroutine setup()
    call fill(b, n * n)
  end subroutine

  subroutine run()
    integer :: i, j
    a = b
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = a(i, j) + 0.3d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - 4 * a(i, j))
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function
end module
