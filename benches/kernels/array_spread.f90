! SPREAD and broadcasts
! check 7.714274389881057E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 60
  real(8) :: a(n, n), b(n), c(n)
contains
  subroutine setup()
    call fill(b, n)
    call fill(c, n)
  end subroutine

  subroutine run()
    a = spread(b, 2, n) * spread(c, 1, n)
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function
end module
