! A small function of the same module
! check 3.803745991438192E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n)
contains
  subroutine setup()
    call fill(b, n)
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      a(i) = smooth(b(i), 0.5d0)
    end do
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  real(8) function smooth(x, w)
    real(8), intent(in) :: x, w
    smooth = x * w + (1 - w) * x * x
  end function
end module
