! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i
  integer :: a(40)
  call fill_i4(a, 40, 9)
  do i = 2, 33
    a(i) = a(i - 1) + 3
  end do
  call show_i4(1, a, 40)
end subroutine
