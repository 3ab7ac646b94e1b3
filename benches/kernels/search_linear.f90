! The first element that fits
! check 1.122000000000000E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), at
contains
  subroutine setup()
    call shuffle(a, n)
  end subroutine

  subroutine run()
    integer :: i, k
    at = 0
    do k = 1, 20
      do i = 1, n
        if (a(i) == k * 40) exit
      end do
      at = at + i
    end do
  end subroutine

  real(8) function check()
    check = at
  end function
end module
