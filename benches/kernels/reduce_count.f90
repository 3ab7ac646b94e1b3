! How many elements are above a limit
! check 7.150000000000000E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n)
  integer :: s
contains
  subroutine setup()
    call fill(a, n)
  end subroutine

  subroutine run()
    s = count(a > 0.3d0)
  end subroutine

  real(8) function check()
    check = s
  end function
end module
