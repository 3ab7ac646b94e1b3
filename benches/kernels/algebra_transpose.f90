! TRANSPOSE
! check 4.470707460212708E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 100
  real(8) :: a(n, n), b(n, n)
contains
  subroutine setup()
    call fill(b, n * n)
  end subroutine

  subroutine run()
    a = transpose(b)
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function
end module
