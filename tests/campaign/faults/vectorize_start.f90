! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i, most
  integer :: a(40)
  call fill_i4(a, 40, 9)
  most = -100
  do i = 1, 32
    most = max(most, (-7) - a(i))
  end do
  a(33:40) = most
  call show_i4(1, a, 40)
end subroutine
