! Integers written one by one
! check 2.164000000000000E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 50
  integer :: k(n)
  character(8) :: line(n)
contains
  subroutine setup()
    call fill_integers(k, n, 100000)
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      write (line(i), '(i8)') k(i)
    end do
  end subroutine

  real(8) function check()
    integer :: i
    check = 0
    do i = 1, n
      check = check + iachar(line(i)(8:8)) * mod(i, 17)
    end do
  end function
end module
