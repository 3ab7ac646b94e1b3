! Characters compared one by one
! check 3.600000000000000E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  character(1) :: text(n)
  integer :: words
contains
  subroutine setup()
    integer :: i
    do i = 1, n
      text(i) = achar(97 + mod(draw() / 16, 26))
      if (mod(i, 7) == 0) text(i) = ' '
    end do
  end subroutine

  subroutine run()
    integer :: i
    words = 0
    do i = 2, n
      if (text(i) == ' ' .and. text(i - 1) /= ' ') words = words + 1
      if (text(i) >= 'x') words = words + 2
    end do
  end subroutine

  real(8) function check()
    check = words
  end function
end module
