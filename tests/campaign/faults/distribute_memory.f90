! --passes=distribute at l, discharged
subroutine k47()
  implicit none
  integer :: j
  double precision :: a0(-1:10), a4(-1:10), a5(2, 6)
  common /c47/ a0, a4, a5
  do j = 1, 2
    a4(j) = 1.0d0
    a5(j, 1:6) = a4(1:6)
  end do
  call show_r8(13, a5, 12)
end subroutine
