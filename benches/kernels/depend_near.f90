! A recurrence over one element
! check 9.120466935640108E+03
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
    a(1) = 1
    do i = 2, n
      a(i) = a(i - 1) * 0.5d0 + b(i)
    end do
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
