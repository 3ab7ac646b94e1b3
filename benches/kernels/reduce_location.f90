! The location of the largest value
! check 6.450000000000000E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n)
  integer :: k
contains
  subroutine setup()
    call fill(a, n)
  end subroutine

  subroutine run()
    k = maxloc(a, 1)
  end subroutine

  real(8) function check()
    check = k
  end function
end module
