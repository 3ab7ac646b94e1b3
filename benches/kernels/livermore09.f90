! Livermore 9, integrate predictors
! check 1.342837850789428E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 100
  real(8) :: px(25, n)
contains
  subroutine setup()
    call fill(px, 25 * n)
  end subroutine

  subroutine run()
    integer :: i
    do i = 1, n
      px(1, i) = 0.1d0 * px(13, i) + 0.2d0 * px(12, i) + 0.3d0 * px(11, i) + 0.4d0 * px(10, i) + 0.5d0 * px(9, i) &
        + 0.6d0 * px(8, i) + 0.7d0 * px(7, i) + 0.8d0 * (px(5, i) + px(6, i)) + px(3, i)
    end do
  end subroutine

  real(8) function check()
    check = total(px, 25 * n)
  end function
end module
