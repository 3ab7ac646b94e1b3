! Integers set to a value
! check 2.518250000000000E+05
module kernel
  use support
  implicit none
  integer, parameter :: n = 4000
  integer :: a(n), v = 7
contains
  subroutine setup()
    a = 1
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      a(i) = v
    end do
  end subroutine

  real(8) function check()
    check = total_integers(a, n)
  end function
end module
