! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i, j, k, n1
  double precision :: a(12, 3)
  common /opaque/ n1
  call fill_r8(a, 36, 3)
  do j = 1, 3
    do k = 1, j
      do i = 1, 11
        a(i + 1, j) = a(i, k) * 0.5d0
      end do
    end do
  end do
  call show_r8(1, a, 36)
end subroutine
