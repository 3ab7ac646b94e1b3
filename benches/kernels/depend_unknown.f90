! A distance that is known when the loop begins
! check 5.636903985708952E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: m = 500
  real(8) :: a(n), b(n)
contains
  subroutine setup()
    call fill(a, n)
    call fill(b, n)
  end subroutine

  subroutine run()
    call shifted(a, b, n, m)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine shifted(a, b, n, m)
    integer :: n, m, i
    real(8) :: a(n), b(n)
    do i = 1, n - m
      a(i) = a(i + m) * 0.5d0 + b(i)
    end do
  end subroutine
end module
