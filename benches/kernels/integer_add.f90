! Integers added and multiplied
! check 1.768337700000000E+07
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), b(n), c(n)
contains
  subroutine setup()
    call fill_integers(a, n, 1000)
    call fill_integers(b, n, 1000)
  end subroutine

  subroutine run()
    call combine(a, b, c, n)
  end subroutine

  real(8) function check()
    check = total_integers(c, n)
  end function

  subroutine combine(a, b, c, n)
    integer :: n, i, a(n), b(n), c(n)
    do i = 1, n
      c(i) = a(i) * 3 + b(i) - 7
    end do
  end subroutine
end module
