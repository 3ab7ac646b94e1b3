! --passes=fold at l, discharged
subroutine k15()
  implicit none
  integer :: i, j
  real :: a1(4, -3:5, 5), a2(4, -3:5, 5), a3(4, -3:5, 5), a4(4, -3:5, 5)
  equivalence (a3(3, -3, 1), a1(3, -3, 1))
  equivalence (a4(1, -3, 1), a2(1, -2, 1))
  do j = 1, 2, 2
    a3(1, i, 2) = 1.0
    a2(1, 1, 4:2:(-1)) = a1(4 - 1:1:(-1), i, (j - 2) + 3)
  end do
  call show_r4(12, a4, 180)
end subroutine
