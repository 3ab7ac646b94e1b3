! --passes=inline,dce at l, discharged
subroutine k29()
  implicit none
  real :: a0(7, 5), a1(7, 5)
  double precision :: a2(15)
  equivalence (a1(2, 1), a0(2, 1))
  call fill_r4(a1, 35, 4)
  call show_r4(9, a1, 35)
  call show_r8(10, a2, 15)
end subroutine
