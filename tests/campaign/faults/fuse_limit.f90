! --passes=fuse at l, discharged
subroutine k431()
  implicit none
  integer :: i
  double precision :: a0(7, 5), a1(7, 5), a2(5, 6, 6), a3(10), x2
  equivalence (a2(1, 1, 1), a0(1, 1))
  equivalence (a3(5), a1(5, 1))
  a3(1) = 1.0d0
  do i = 1, 1
    x2 = a1(1, 1)
  end do
  do i = 1, 4
    a0(1, i) = a1(1, 1)
  end do
  call show_r8(10, a2, 180)
end subroutine
