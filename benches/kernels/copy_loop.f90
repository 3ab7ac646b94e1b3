! An array copied by a loop
! check 1.805263856056333E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 4000
  real(8) :: a(n), b(n)
contains
  subroutine setup()
    call fill(b, n)
  end subroutine

  subroutine run()
    call copy(a, b, n)
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  subroutine copy(a, b, n)
    integer :: n, i
    real(8) :: a(n), b(n)
    do i = 1, n
      a(i) = b(i)
    end do
  end subroutine
end module
