! An array copied by an assignment
! check 1.852062891459465E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 64
  real(8) :: a(n, n), b(n, n)
contains
  subroutine setup()
    call fill(b, n * n)
  end subroutine

  subroutine run()
    a = b
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function
end module
