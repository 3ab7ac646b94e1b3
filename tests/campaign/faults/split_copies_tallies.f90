! --passes=distribute at h
subroutine k1()
  implicit none
  integer :: i, j, k, n
  double precision :: a0(3, 3), a1(9)
  call fill_r8(a1, 9, 3)
  n = 3
  do i = 1, n
    do k = 1, i*i
      a1(k) = i
    end do
    do j = 1, 3
      a0(i, j) = i
    end do
  end do
  call show_r8(1, a0, 9)
  call show_r8(2, a1, 9)
end subroutine
