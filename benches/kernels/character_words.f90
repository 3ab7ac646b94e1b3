! Words of a text counted
! check 3.290000000000000E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 2000
  character(n) :: text
  integer :: words
contains
  subroutine setup()
    integer :: i
    do i = 1, n
      text(i:i) = achar(97 + mod(draw() / 16, 26))
      if (mod(draw() / 16, 6) == 0) text(i:i) = ' '
    end do
  end subroutine

  subroutine run()
    integer :: i
    logical :: inside
    words = 0
    inside = .false.
    do i = 1, n
      if (text(i:i) == ' ') then
        inside = .false.
      else if (.not. inside) then
        inside = .true.
        words = words + 1
      end if
    end do
  end subroutine

  real(8) function check()
    check = words
  end function
end module
