! A loop whose GOTO stands at its end
! check 1.204447311797652E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n)
contains
  subroutine setup()
    call fill(b, n)
  end subroutine

  subroutine run()
    call counted(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine counted(a, b, n)
    integer :: n, i
    real(8) :: a(n), b(n)
    i = 1
  10 a(i) = b(i) * b(i) + 1
    i = i + 1
    if (i <= n) goto 10
  end subroutine
end module
