! CSHIFT and EOSHIFT of a vector
! check 9.121135202437639E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n), c(n)
  integer :: s = 3
contains
  subroutine setup()
    call fill(b, n)
  end subroutine

  subroutine run()
    a = cshift(b, s)
    c = eoshift(b, -s)
  end subroutine

  real(8) function check()
    check = total(a, n) + total(c, n)
  end function
end module
