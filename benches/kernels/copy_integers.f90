! Integers copied
! check 1.753128600000000E+07
module kernel
  use support
  implicit none
  integer, parameter :: n = 4000
  integer :: a(n), b(n)
contains
  subroutine setup()
    call fill_integers(b, n, 1000)
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      a(i) = b(i)
    end do
  end subroutine

  real(8) function check()
    check = total_integers(a, n)
  end function
end module
