! A stride that is known when the loop begins
! check 5.279769529126045E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 3000
  integer :: inc = 3
  real(8) :: a(n), b(n)
contains
  subroutine setup()
    call fill(b, n)
  end subroutine

  subroutine run()
    call strided(a, b, n, inc)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine strided(a, b, n, inc)
    integer :: n, i, inc
    real(8) :: a(n), b(n)
    do i = 1, n, inc
      a(i) = b(i) * 0.5d0 + b(i) * b(i)
    end do
  end subroutine
end module
