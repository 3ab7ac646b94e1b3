! --passes=fuse at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a0(6), a1(6), x1
  x1 = 1.0d0
  do i = 1, 6
    a0(i) = i*0.5d0
    x1 = a0(i)
  end do
  do i = 1, 6
    a1(i) = a0(i) + x1
  end do
  call show_r8(1, a1, 6)
end subroutine
