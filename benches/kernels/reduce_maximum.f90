! The largest absolute value
! check 4.987707436084747E-01
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  real(8) :: a(n), m
contains
  subroutine setup()
    call fill(a, n)
    a = a - 0.5d0
  end subroutine

  subroutine run()
    integer :: i
    m = 0
    do i = 1, n
      m = max(m, abs(a(i)))
    end do
  end subroutine

  real(8) function check()
    check = m
  end function
end module
