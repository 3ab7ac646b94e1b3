! --passes=interior at h
subroutine k1()
  implicit none
  integer :: i, l, m
  integer :: a(12), b(12)
  l = 3
  m = 7
  do i = 1, 12
    a(i) = 0
    b(i) = 0
  end do
  do i = 1, 12
    if (i >= l .and. i <= m) a(i) = i
    if (i > l .and. i < m) b(i) = i
  end do
  call show_i4(1, a, 12)
  call show_i4(2, b, 12)
end subroutine
