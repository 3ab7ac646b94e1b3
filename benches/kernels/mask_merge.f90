! MERGE and limits
! check 9.128678434163332E+03
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
    do i = 1, n
      a(i) = merge(b(i), 0.25d0, b(i) > 0.25d0) + min(b(i), 0.75d0)
    end do
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
