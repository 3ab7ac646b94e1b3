! Livermore 21, matrix product
! check 8.580930805807914E+04
module kernel
  use support
  implicit none
  integer, parameter :: n = 60
  real(8) :: px(25, n), vy(25, 25), cx(25, n)
contains
  subroutine setup()
    call fill(vy, 625)
    call fill(cx, 25 * n)
  end subroutine

  subroutine run()
    integer :: i, j, k
    px = 0
    do k = 1, 25
      do i = 1, 25
        do j = 1, n
          px(i, j) = px(i, j) + vy(i, k) * cx(k, j)
        end do
      end do
    end do
  end subroutine

  real(8) function check()
    check = total(px, 25 * n)
  end function
end module
