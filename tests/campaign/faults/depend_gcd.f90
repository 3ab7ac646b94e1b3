! --passes=fuse at l, discharged
subroutine k79()
  implicit none
  integer :: i, j
  double precision :: a1(13), a2(13), a5(13)
  common /c79/ a2
  equivalence (a5(5), a1(4))
  do i = 1, 2
    do j = i, 0, (-1)
      a1(1) = a2(j + 2)
    end do
    do j = i, 0, (-1)
      a2(i) = 1.0d0
    end do
  end do
  call show_r8(13, a5, 13)
end subroutine
