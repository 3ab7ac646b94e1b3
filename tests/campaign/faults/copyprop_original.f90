! --passes=scalar_replace,unroll,copyprop at m
subroutine k47()
  implicit none
  integer :: k
  double precision :: a0(-1:10), a1(0:8, -3:5), a4(-1:10), a5(-1:10)
  common /c47/ a0, a4, a5
  call fill_r8(a5, 12, 3)
  do k = 1, 2
    a1(1, 1) = a5(k + 1) + a5(k)
  end do
  call show_r8(9, a1, 81)
end subroutine
