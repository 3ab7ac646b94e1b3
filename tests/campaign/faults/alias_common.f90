! --passes=cse at h
subroutine k1()
  implicit none
  double precision :: cs, x1, x2
  common /c1/ cs
  cs = 1.0d0
  call p1_0()
  x1 = cs*2.0d0
  call p1_0()
  x2 = cs*2.0d0
  call put_r8(1, x1)
  call put_r8(2, x2)
end subroutine
subroutine p1_0()
  implicit none
  double precision :: cs
  common /c1/ cs
  cs = cs + 1.0d0
end subroutine
