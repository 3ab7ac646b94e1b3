! Sections with strides
! check 1.148763537389040E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), b(n)
contains
  subroutine setup()
    call fill(b, n)
    a = 0
  end subroutine

  subroutine run()
    a(1:n:2) = b(2:n:2) * 2
    a(2:n:2) = a(1:n:2) + b(1:n:2)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
