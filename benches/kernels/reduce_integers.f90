! A sum of integers
! check 4.953240000000000E+05
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), s
contains
  subroutine setup()
    call fill_integers(a, n, 1000)
  end subroutine

  subroutine run()
    integer :: i
    s = 0
    do i = 1, n
      s = s + a(i)
    end do
  end subroutine

  real(8) function check()
    check = s
  end function
end module
