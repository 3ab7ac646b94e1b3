! Numbers written to a string
! check 7.187500000000000E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 20
  real(8) :: a(n)
  character(400) :: line
contains
  subroutine setup()
    call fill(a, n)
  end subroutine

  subroutine run()
    write (line, '(20f10.5)') a
  end subroutine

  real(8) function check()
    integer :: i
    check = 0
    do i = 1, 200
      check = check + iachar(line(i:i)) * mod(i, 17)
    end do
  end function
end module
