! --passes=inline at h
subroutine k1()
  implicit none
  double precision :: a0(4)
  call fill_r8(a0, 4, 3)
  call p1_0(a0)
  call show_r8(1, a0, 4)
end subroutine
subroutine p1_0(d0)
  implicit none
  integer :: i
  double precision :: d0(4)
  do i = 1, 4
    d0(i) = d0(i) + 1.0d0
  end do
end subroutine
