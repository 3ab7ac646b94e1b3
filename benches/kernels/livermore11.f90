! Livermore 11, first sum
! check 2.308456794730574E+06
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), y(n)
contains
  subroutine setup()
    call fill(y, n)
  end subroutine

  subroutine run()
    integer :: k
    x(1) = y(1)
    do k = 2, n
      x(k) = x(k - 1) + y(k)
    end do
  end subroutine

  real(8) function check()
    check = total(x, n)
  end function
end module
