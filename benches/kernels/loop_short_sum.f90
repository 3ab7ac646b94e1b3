! Sums of three terms with a run-time length
! check 1.336284794798493E+04
module kernel
  use support
  implicit none
  integer, parameter :: m = 1000
  integer :: n = 3
  real(8) :: a(m), b(3, m)
contains
  subroutine setup()
    call fill(b, 3 * m)
  end subroutine

  subroutine run()
    call sums(a, b, n, m)
  end subroutine

  real(8) function check()
    check = total(a, m)
  end function

  subroutine sums(a, b, n, m)
    integer :: n, m, i, j
    real(8) :: a(m), b(n, m)
    do j = 1, m
      a(j) = 0
      do i = 1, n
        a(j) = a(j) + b(i, j)
      end do
    end do
  end subroutine
end module
