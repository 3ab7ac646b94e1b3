! An assignment under a condition
! check 7.328030529081821E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n), c(n)
contains
  subroutine setup()
    call fill(b, n)
    call fill(c, n)
  end subroutine

  subroutine run()
    call masked(a, b, c, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine masked(a, b, c, n)
    integer :: n, i
    real(8) :: a(n), b(n), c(n)
    do i = 1, n
      if (b(i) > c(i)) then
        a(i) = b(i) - c(i)
      else
        a(i) = c(i) * 2
      end if
    end do
  end subroutine
end module
