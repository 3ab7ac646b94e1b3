! A loop that runs backwards
! check 1.128904084342718E+04
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
    call reverse(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine reverse(a, b, n)
    integer :: n, i
    real(8) :: a(n), b(n)
    do i = n - 1, 1, -1
      a(i) = b(i + 1) * 0.5d0 + 1
    end do
  end subroutine
end module
