! Livermore 24, location of the first minimum
! check 5.000000000000000E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n)
  integer :: m
contains
  subroutine setup()
    call fill(x, n)
    x(n / 2) = -1d10
  end subroutine

  subroutine run()
    integer :: k
    m = 1
    do k = 2, n
      if (x(k) < x(m)) m = k
    end do
  end subroutine

  real(8) function check()
    check = m
  end function
end module
