! A sum of some elements
! check 3.862629059851170E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), s
contains
  subroutine setup()
    call fill(a, n)
  end subroutine

  subroutine run()
    integer :: i
    s = 0
    do i = 1, n
      if (a(i) > 0.5d0) s = s + a(i)
    end do
  end subroutine

  real(8) function check()
    check = s
  end function
end module
