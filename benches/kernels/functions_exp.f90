! Exponentials and sines
! check 6.602525385116156E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 300
  real(8) :: a(n), b(n)
contains
  subroutine setup()
    call fill(b, n)
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      a(i) = exp(-b(i)) * sin(b(i))
    end do
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function
end module
