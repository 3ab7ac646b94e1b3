! A letter searched in a text
! check 3.900000000000000E+01
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  character(n) :: text
  integer :: found
contains
  subroutine setup()
    integer :: i
    do i = 1, n
      text(i:i) = achar(97 + mod(draw() / 16, 26))
    end do
  end subroutine

  subroutine run()
    integer :: i
    found = 0
    do i = 1, n
      if (text(i:i) == 'q') found = found + 1
    end do
  end subroutine

  real(8) function check()
    check = found
  end function
end module
