! A second variable that advances by two
! check 9.033943397164345E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(2 * n)
contains
  subroutine setup()
    call fill(b, 2 * n)
  end subroutine

  subroutine run()
    call gather(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine gather(a, b, n)
    integer :: n, i, k
    real(8) :: a(n), b(2 * n)
    k = -1
    do i = 1, n
      k = k + 2
      a(i) = b(k) + b(k + 1)
    end do
  end subroutine
end module
