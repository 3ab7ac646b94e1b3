! An array set to zero
! check 1.000000000000000E+00
module kernel
  use support
  implicit none
  integer, parameter :: n = 4000
  real(8) :: a(n)
contains
  subroutine setup()
    a = 1
  end subroutine

  subroutine run()
    call clear(a, n)
  end subroutine

  real(8) function check()
    check = total(a, n) + 1
  end function

  subroutine clear(a, n)
    integer :: n, i
    real(8) :: a(n)
    do i = 1, n
      a(i) = 0
    end do
  end subroutine
end module
