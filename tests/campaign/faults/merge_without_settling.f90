! --passes=dce,fuse at h
subroutine k1()
  implicit none
  integer :: i, k, i1, i2
  double precision :: a0(4), x1
  i1 = 2
  x1 = i1
  call put_r8(1, x1)
  do i = 1, 4
    a0(i) = i
  end do
  do k = 1, i1
    i2 = k
  end do
  do i = 1, 4
    i1 = i*2
    a0(i) = a0(i) + i1
  end do
  call show_r8(2, a0, 4)
end subroutine
