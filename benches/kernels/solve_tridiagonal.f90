! The Thomas algorithm over columns
! check 1.974153049802121E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 50, m = 40
  real(8) :: a(n, m), b(n, m), c(n, m), d(n, m), x(n, m)
contains
  subroutine setup()
    call fill(a, n * m)
    call fill(b, n * m)
    call fill(c, n * m)
    call fill(d, n * m)
    b = b + 3
  end subroutine

  subroutine run()
    integer :: i, j
    real(8) :: g(n, m), w
    do j = 1, m
      w = b(1, j)
      x(1, j) = d(1, j) / w
      do i = 2, n
        g(i, j) = c(i - 1, j) / w
        w = b(i, j) - a(i, j) * g(i, j)
        x(i, j) = (d(i, j) - a(i, j) * x(i - 1, j)) / w
      end do
      do i = n - 1, 1, -1
        x(i, j) = x(i, j) - g(i + 1, j) * x(i + 1, j)
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(x, n * m)
  end function
end module
