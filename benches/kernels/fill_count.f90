! The numbers from one
! check 4.513549000000000E+06
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n)
contains
  subroutine setup()
    a = 1
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      a(i) = i
    end do
  end subroutine

  real(8) function check()
    check = total_integers(a, n)
  end function
end module
