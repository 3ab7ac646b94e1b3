! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i, k
  integer :: a(40), b(40)
  call fill_i4(a, 40, 9)
  b = 0
  b(14) = 1
  k = 7
  do i = 1, 32
    if (b(i) > 0) k = a(i)
    a(i) = a(i) + 3
  end do
  b(1) = k
  call show_i4(1, b, 40)
end subroutine
