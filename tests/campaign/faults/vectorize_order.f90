! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i
  integer :: a(40), b(40)
  call fill_i4(a, 40, 9)
  call fill_i4(b, 40, 5)
  do i = 2, 33
    a(i) = b(i) + 3
    b(i) = a(i + 1)
  end do
  call show_i4(1, b, 40)
end subroutine
