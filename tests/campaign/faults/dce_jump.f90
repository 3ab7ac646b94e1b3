! --passes=dce at m
subroutine k3()
  implicit none
  integer :: j
  j = 1
  if (1) 280, 290, 300
280 continue
290 continue
300 continue
  call put_i4(20, j)
end subroutine
