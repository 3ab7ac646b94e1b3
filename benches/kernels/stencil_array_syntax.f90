! A stencil in array syntax
! check 1.757748979485035E+05
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
    a(2:n-1, 2:n-1) = 0.25d0 * (b(1:n-2, 2:n-1) + b(3:n, 2:n-1) + b(2:n-1, 1:n-2) + b(2:n-1, 3:n))
  end subroutine

  real(8) function check()
    check = total(a, n * n)
  end function
end module
