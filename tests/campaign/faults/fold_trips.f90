! --passes=fold at l, discharged
subroutine k6()
  implicit none
  integer :: a3(0:6, 4, 8)
  a3(1, 1, 2 + 2:3 + 2) = 1
  call show_i4(11, a3, 224)
end subroutine
