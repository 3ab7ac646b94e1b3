! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i, t
  integer :: a(40), b(40)
  call fill_i4(a, 40, 9)
  do i = 1, 32
    t = a(i) + 3
    b(i) = t + a(i)
  end do
  b(33:40) = t
  call show_i4(1, b, 40)
end subroutine
