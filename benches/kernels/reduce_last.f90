! The last element that is below a limit
! check 9.960000000000000E+02
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
    integer :: i
    k = -1
    do i = 1, n
      if (a(i) < 0.01d0) k = i
    end do
  end subroutine

  real(8) function check()
    check = k
  end function
end module
