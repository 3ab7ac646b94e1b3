! Quotients and remainders
! check 6.378662450000000E+08
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), b(n)
contains
  subroutine setup()
    call fill_integers(a, n, 1000000)
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      b(i) = mod(a(i), 10) + a(i) / 7 + modulo(-a(i), 16)
    end do
  end subroutine

  real(8) function check()
    check = total_integers(b, n)
  end function
end module
