! --passes=inline at m, discharged
subroutine k73()
  implicit none
  integer :: a2(-1:13), a3(-1:13)
  call fill_i4(a2, 15, 8)
  call fill_i4(a3, 15, 10)
end subroutine
