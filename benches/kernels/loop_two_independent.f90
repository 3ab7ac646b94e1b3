! Two loops that are better left alone
! check 4.597139390395816E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8), dimension(n) :: a, b, c, d, e, f
contains
  subroutine setup()
    call fill(b, n)
    call fill(c, n)
    call fill(e, n)
    call fill(f, n)
  end subroutine

  subroutine run()
    call both(a, b, c, d, e, f, n)
  end subroutine

  real(8) function check()
    check = total(a, n) + total(d, n)
  end function

  subroutine both(a, b, c, d, e, f, n)
    integer :: n, i
    real(8), dimension(n) :: a, b, c, d, e, f
    do i = 1, n
      a(i) = b(i) * c(i) + b(i)
    end do
    do i = 1, n
      d(i) = e(i) * f(i) - e(i)
    end do
  end subroutine
end module
