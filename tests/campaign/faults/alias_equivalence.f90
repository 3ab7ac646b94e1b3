! --passes= at l, discharged
subroutine k31()
  implicit none
  double precision :: a0(13), a2(13)
  equivalence (a2(5), a0(3))
  a0(2:4 + 2) = 1.0d0 - a2(1:4 + 1)
  call show_r8(8, a0, 13)
end subroutine
