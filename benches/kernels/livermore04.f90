! Livermore 4, banded linear equations
! check 5.179570311819621E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n + 300), y(n + 300), start(n + 300)
contains
  subroutine setup()
    call fill(start, n + 300)
    call fill(y, n + 300)
  end subroutine

  subroutine run()
    integer :: k, j, lw
    real(8) :: t
    x = start
    do k = 7, n, (n - 7) / 2
      lw = k - 6
      t = x(k - 1)
      do j = 5, n, 5
        t = t - x(lw) * y(j)
        lw = lw + 1
      end do
      x(k - 1) = y(5) * t
    end do
  end subroutine

  real(8) function check()
    check = total(x, n + 300)
  end function
end module
