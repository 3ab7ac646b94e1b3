! A histogram
! check 8.800000000000000E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: k(n), h(64)
contains
  subroutine setup()
    call fill_integers(k, n, 64)
  end subroutine

  subroutine run()
    integer :: i
    h = 0
    do i = 1, n
      h(k(i) + 1) = h(k(i) + 1) + 1
    end do
  end subroutine

  real(8) function check()
    check = total_integers(h, 64)
  end function
end module
