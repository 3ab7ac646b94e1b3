! Scalars handed on by reference
! check 1.352599742998555E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 300
  real(8) :: a(n)
contains
  subroutine setup()
    call fill(a, n)
  end subroutine

  subroutine run()
    integer :: i
    real(8) :: s, t
    s = 0
    t = 1
    do i = 1, n
      call update(a(i), s, t)
    end do
    a(1) = s / (1 + abs(t)) * 1d-3
  end subroutine

  real(8) function check()
    check = total(a, n)
  end function

  recursive subroutine update(x, s, t)
    real(8), intent(in) :: x
    real(8), intent(inout) :: s, t
    if (x > 2) call update(x - 1, s, t)
    s = s + x
    t = t * 0.5d0 + x
  end subroutine
end module
