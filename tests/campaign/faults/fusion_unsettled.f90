! --passes=dce,fuse at h
subroutine k1()
  implicit none
  integer :: i, s, t
  real :: a0(15)
  s = 0
  t = 0
  do i = 1, 15
    a0(i) = 1.0
    s = s + i*3
    if (mod(s, 7) == 2) s = s + 1
  end do
  do i = 1, 15
    a0(i) = a0(i)*i
    if (mod(s + i*i, 3) == 1) t = t + 1
  end do
  call show_r4(8, a0, 15)
end subroutine
