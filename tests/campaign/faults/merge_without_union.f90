! --passes=fuse at h
subroutine k17()
  implicit none
end subroutine
subroutine p17_0(nd, d0, d1, s1)
  implicit none
  integer :: nd, d0(nd), d1(nd), i
  double precision :: s1
  do i = 5, 1, (-1)
    d0(1) = 1
  end do
  do i = 5, 1, (-1)
    d1(1) = d0(2)
  end do
end subroutine
