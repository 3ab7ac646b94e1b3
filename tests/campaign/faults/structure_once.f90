! --passes=structure at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a(4)
  a(1) = 1.0d0
  i = 1
10 continue
  a(1) = a(1) + 2.0d0
  i = i + 1
  if (i <= 0) goto 10
  call show_r8(1, a, 4)
end subroutine
