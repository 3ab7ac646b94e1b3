! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i, k, m
  integer :: a(40), b(40)
  a = 1
  a(3) = 9
  a(14) = 5
  b = 0
  k = 7
  m = 7
  do i = 1, 32
    if (a(i) > 6) k = i
    if (a(i) == 5) k = 2 * i
  end do
  do i = 1, 32
    if (a(i) == 5) m = i
    if (a(i) > 6) m = 2 * i
  end do
  b(1) = k
  b(2) = m
  call show_i4(1, b, 40)
end subroutine
