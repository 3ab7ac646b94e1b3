! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i, j, k, m
  double precision :: a(12, 3)
  call fill_r8(a, 36, 3)
  do j = 1, 3
    m = j
    do k = 1, m - 1
      m = k
      do i = 1, 11
        a(i + 1, m) = a(i, k) * 0.5d0
      end do
    end do
  end do
  call show_r8(1, a, 36)
end subroutine
