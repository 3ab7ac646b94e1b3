! Livermore 10, difference predictors
! check -8.931589742332697E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 100
  real(8) :: cx(25, n), px(25, n)
contains
  subroutine setup()
    call fill(cx, 25 * n)
    call fill(px, 25 * n)
  end subroutine

  subroutine run()
    integer :: i
    real(8) :: ar, br, cr
    do i = 1, n
      px(5:14, i) = 0.5d0
      ar = cx(5, i)
      br = ar - px(5, i)
      px(5, i) = ar
      cr = br - px(6, i)
      px(6, i) = br
      ar = cr - px(7, i)
      px(7, i) = cr
      br = ar - px(8, i)
      px(8, i) = ar
      cr = br - px(9, i)
      px(9, i) = br
      ar = cr - px(10, i)
      px(10, i) = cr
      br = ar - px(11, i)
      px(11, i) = ar
      cr = br - px(12, i)
      px(12, i) = br
      px(14, i) = cr - px(13, i)
      px(13, i) = cr
    end do
  end subroutine

  real(8) function check()
    check = total(px, 25 * n)
  end function
end module
