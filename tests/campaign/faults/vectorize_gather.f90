! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i
  real(8) :: a(120), b(40)
  do i = 1, 120
    a(i) = i
  end do
  do i = 1, 40
    b(i) = i
  end do
  do i = 1, 40
    b(i) = (a(3 * i) + 1) * 3 - b(i)
  end do
  call show_r8(1, b, 40)
end subroutine
