! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i
  integer :: a(40), b(80)
  call fill_i4(a, 40, 9)
  call fill_i4(b, 80, 7)
  do i = 1, 33
    a(i) = (b(2 * i) + a(i)) - 3
  end do
  call show_i4(1, a, 40)
end subroutine
