! --passes=induct at h
subroutine k1()
  implicit none
  integer :: i, k
  double precision :: a(9)
  do i = 1, 9
    a(i) = 0.0d0
  end do
  k = 0
  do i = 1, 4
    k = k + 2
    a(k) = 1.0d0
  end do
  call show_r8(1, a, 9)
end subroutine
