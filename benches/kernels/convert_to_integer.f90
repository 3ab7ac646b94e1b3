! INT of reals
! check 4.551441000000000E+06
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n)
  integer :: k(n)
contains
  subroutine setup()
    call fill(a, n)
    a = a * 1000
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      k(i) = int(a(i))
    end do
  end subroutine

  real(8) function check()
    check = total_integers(k, n)
  end function
end module
