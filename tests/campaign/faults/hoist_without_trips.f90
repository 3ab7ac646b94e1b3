! -O3 at l, discharged
subroutine k1()
  implicit none
  integer :: i, j
  integer :: a0(9)
  call fill_i4(a0, 9, 3)
  do j = 1, 3
    do i = 1, 3
      a0(i) = a0(i) + j
    end do
  end do
  call show_i4(1, a0, 9)
end subroutine
