! The greatest of integers and where bits are set
! check 2.046782000000000E+06
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), greatest, ones
contains
  subroutine setup()
    call fill_integers(a, n, 1000000)
  end subroutine

  subroutine run()
    integer :: i, most, bits
    most = -1
    bits = 0
    do i = 1, n
      most = max(most, a(i))
      bits = ior(bits, a(i))
    end do
    greatest = most
    ones = bits
  end subroutine

  real(8) function check()
    check = greatest + ones
  end function
end module
