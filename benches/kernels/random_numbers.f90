! A generator of random numbers
! check 4.632396105945110E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: state
  real(8) :: a(n)
contains
  subroutine setup()
    state = 0
  end subroutine

  subroutine run()
    integer :: i
    state = 42
    do i = 1, n
      state = int(iand(state * 1103515_8 + 12345, 16777215_8))
      a(i) = state * (1d0 / 16777216)
    end do
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
