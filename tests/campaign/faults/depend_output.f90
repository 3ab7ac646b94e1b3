! --passes=fold,dce,fuse at l, discharged
subroutine k27()
  implicit none
  integer :: a1(-3:11), a2(-3:11), i
  equivalence (a2(-1), a1(1))
  do i = -3, 11
    a1(i) = 8*i
  end do
  do i = -3, 11
    a2(i) = 4*i
  end do
  call show_i4(10, a2, 15)
end subroutine
