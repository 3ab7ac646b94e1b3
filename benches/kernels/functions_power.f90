! Powers and roots
! check 3.567738627293237E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 300
  real(8) :: a(n), b(n)
contains
  subroutine setup()
    call fill(b, n)
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      a(i) = b(i) ** 3 + sqrt(b(i)) + b(i) ** 1.5d0
    end do
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
