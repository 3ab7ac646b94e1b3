! --passes=inline,fold,dce,fuse at l, discharged
subroutine k27()
  implicit none
  integer :: a1(-3:11), a2(-3:11)
  equivalence (a2(-1), a1(1))
  call fill_i4(a1, 15, 8)
  call fill_i4(a2, 15, 4)
  call show_i4(10, a2, 15)
end subroutine
