! Bilinear interpolation
! check 1.348284197531489E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 50, m = 300
  real(8) :: g(n, n), x(m), y(m), v(m)
contains
  subroutine setup()
    call fill(g, n * n)
    call fill(x, m)
    call fill(y, m)
    x = 1 + x * (n - 2)
    y = 1 + y * (n - 2)
  end subroutine

  subroutine run()
    integer :: i, k, l
    real(8) :: a, b
    do i = 1, m
      k = int(x(i))
      l = int(y(i))
      a = x(i) - k
      b = y(i) - l
      v(i) = (1 - b) * ((1 - a) * g(k, l) + a * g(k + 1, l)) + b * ((1 - a) * g(k, l + 1) + a * g(k + 1, l + 1))
    end do
  end subroutine

  real(8) function check()
    check = total(v, m)
  end function
end module
