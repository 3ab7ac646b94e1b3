! --passes=dce,fuse at l, discharged
subroutine k1()
  implicit none
  integer :: a(8), b(8), i, j, k, m
  call fill_i4(a, 8, 4)
  m = a(1)
  k = m + 1
  m = m * 3
  do j = 1, k
  end do
  do i = 1, 8
    a(i) = i
  end do
  k = m + 1
  do j = 1, k
  end do
  do i = 1, 8
    b(i) = a(i)
  end do
  call show_i4(1, a, 8)
  call show_i4(1, b, 8)
end subroutine
