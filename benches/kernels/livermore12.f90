! Livermore 12, first difference
! check 7.511099344491959E+01
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: x(n), y(n + 1)
contains
  subroutine setup()
    call fill(y, n + 1)
  end subroutine

  subroutine run()
    integer :: k
    do k = 1, n
      x(k) = y(k + 1) - y(k)
    end do
  end subroutine

  real(8) function check()
    check = total(x, n)
  end function
end module
