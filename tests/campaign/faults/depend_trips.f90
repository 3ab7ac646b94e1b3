! --passes=fuse at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a0(2), a1(2)
  do i = 1, 2
    a0(i) = i*0.5d0
  end do
  do i = 1, 2
    a1(i) = a0(3 - i)
  end do
  call show_r8(1, a1, 2)
end subroutine
