! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i
  integer :: a(40)
  do i = 1, 40
    a(i) = i + 3
  end do
  call show_i4(1, a, 40)
end subroutine
