! A stencil in FORALL
! check -9.518450021743774E+01
module kernel
  use support
  implicit none
  integer, parameter :: n = 200
  real(8) :: a(n, n), b(n, n)
contains
  subroutine setup()
    call fill(b, n * n)
  end subroutine

  subroutine run()
    integer :: i, j
    forall (i = 2:n-1, j = 2:n-1) a(i, j) = b(i, j) - 0.25d0 * (b(i - 1, j) + b(i + 1, j) + b(i, j - 1) + b(i, j + 1))
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function
end module
