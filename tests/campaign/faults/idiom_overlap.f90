! --passes=idiom at h
subroutine k1()
  implicit none
  integer :: i
  double precision :: a(60)
  do i = 1, 60
    a(i) = i
  end do
  do i = 2, 60
    a(i) = a(i - 1)
  end do
  call show_r8(1, a, 60)
end subroutine
