! --passes= at l, discharged
subroutine k50()
  implicit none
  integer :: a1(8, 0:8)
  a1(1:5:2, 3:6) = a1(1:5:2, 1:6 - 2) + 1
  call show_i4(9, a1, 72)
end subroutine
