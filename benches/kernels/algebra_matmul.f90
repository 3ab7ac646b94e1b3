! MATMUL
! check 2.245527845639292E+06
module kernel
  use support
  implicit none
  integer, parameter :: n = 100
  real(8) :: a(n, n), b(n, n), c(n, n)
contains
  subroutine setup()
    call fill(a, n * n)
    call fill(b, n * n)
  end subroutine

  subroutine run()
    c = matmul(a, b)
  end subroutine

  real(8) function check()
    check = total(c, n * n)
  end function
end module
