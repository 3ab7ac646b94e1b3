! A text in upper case
! check 6.222130000000000E+05
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  character(n) :: text, upper
contains
  subroutine setup()
    integer :: i
    do i = 1, n
      text(i:i) = achar(60 + mod(draw() / 16, 60))
    end do
  end subroutine

  subroutine run()
    integer :: i, c
    do i = 1, n
      c = iachar(text(i:i))
      if (c >= 97 .and. c <= 122) c = c - 32
      upper(i:i) = achar(c)
    end do
  end subroutine

  real(8) function check()
    integer :: i
    check = 0
    do i = 1, n
      check = check + iachar(upper(i:i)) * mod(i, 17)
    end do
  end function
end module
