! Fibonacci numbers by recursion
! check 6.100000000000000E+02
module kernel
  use support
  implicit none
  integer :: f
contains
  subroutine setup()
    f = 0
  end subroutine

  subroutine run()
    f = fibonacci(15)
  end subroutine

  real(8) function check()
    check = f
  end function

  recursive integer function fibonacci(n) result(f)
    integer, intent(in) :: n
    if (n < 2) then
      f = n
    else
      f = fibonacci(n - 1) + fibonacci(n - 2)
    end if
  end function
end module
