! --passes=inline at h
subroutine k1()
  implicit none
  double precision :: x1
  x1 = 1.0d0
  call p1_0(x1)
  call put_r8(1, x1)
end subroutine
subroutine p1_0(s1)
  implicit none
  double precision :: s1
  s1 = s1 + 1.0d0
end subroutine
