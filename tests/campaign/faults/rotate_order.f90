! --passes=scalar_replace at l, discharged
subroutine k62()
  implicit none
  double precision :: a1(11), a3(0:13)
  call fill_r8(a3, 14, 6)
  a1(5:2:(-1)) = a3(5 - 1:1:(-1)) + a3(5 + 2:2 + 2:(-1))
  call show_r8(9, a1, 11)
end subroutine
