! --passes=dce at m
subroutine k1()
  implicit none
  integer :: a2(-3:4, 8, 8)
  a2(1, 1, 1) = 1
  call show_i4(10, a2, 512)
end subroutine
