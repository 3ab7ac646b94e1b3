! --passes=inline at m, discharged
subroutine k26()
  implicit none
  logical :: a3(-1:13)
  call show_l4(11, a3, 15)
end subroutine
