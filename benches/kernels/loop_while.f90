! A counted loop written as DO WHILE
! check -5.941526882023496E+03
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
    call counted(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine counted(a, b, n)
    integer :: n, i
    real(8) :: a(n), b(n)
    i = 1
    do while (i <= n)
      a(i) = b(i) * b(i) - 1
      i = i + 1
    end do
  end subroutine
end module
