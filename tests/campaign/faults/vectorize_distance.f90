! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i, m
  integer :: a(60)
  call fill_i4(a, 60, 9)
  m = a(1) - a(1) - 1
  do i = 2, 33
    a(i) = a(i + m) + 3
  end do
  call show_i4(1, a, 60)
end subroutine
