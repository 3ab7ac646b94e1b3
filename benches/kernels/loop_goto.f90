! A counted loop written with GOTO
! check 1.351726815018058E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n), c(n)
contains
  subroutine setup()
    call fill(b, n)
    call fill(c, n)
  end subroutine

  subroutine run()
    call counted(a, b, c, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine counted(a, b, c, n)
    integer :: n, i
    real(8) :: a(n), b(n), c(n)
    i = 0
  10 continue
    i = i + 1
    if (i > n) goto 20
    a(i) = b(i) + c(i) * 2
    goto 10
  20 continue
  end subroutine
end module
