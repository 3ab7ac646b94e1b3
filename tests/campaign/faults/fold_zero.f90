! --passes=fold at h
subroutine k1()
  implicit none
  double precision :: a0(2), x1, x2
  call fill_r8(a0, 2, 3)
  x1 = a0(1)*0.0d0
  x2 = x1 + 0.0d0
  call put_r8(1, x2)
end subroutine
