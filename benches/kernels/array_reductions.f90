! SUM, MAXVAL and DOT_PRODUCT along a dimension
! check 1.766826162181832E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 60
  real(8) :: a(n, n), s(n), m(n), d
contains
  subroutine setup()
    call fill(a, n * n)
  end subroutine

  subroutine run()
    s = sum(a, 2)
    m = maxval(a, 1)
    d = dot_product(s, m)
  end subroutine

  real(8) function check()
    check = total(s, n) + total(m, n) + d
  end function
end module
