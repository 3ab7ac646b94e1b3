! --passes=dce at m
subroutine k1()
  implicit none
  integer :: i, s, t
  s = 0
  t = 0
  do i = 4, 9
    s = s + i
    if (mod(s, 3) == 1) t = t + 1
  end do
end subroutine
