! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i, m
  integer :: a(60), b(60)
  call fill_i4(b, 60, 9)
  a = 0
  m = b(1) - b(1) - 1
  do i = 2, 33
    a(i + m) = b(i) + 3
    a(i) = b(i) - 4
  end do
  call show_i4(1, a, 60)
end subroutine
