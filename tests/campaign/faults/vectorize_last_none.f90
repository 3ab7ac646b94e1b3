! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i, k
  integer :: a(40), b(40)
  a = 1
  b = 0
  k = 7
  do i = 1, 32
    if (a(i) > 3) k = i
  end do
  b(1) = k
  call show_i4(1, b, 40)
end subroutine
