! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i
  integer(8) :: bits
  integer :: a(40)
  real(8) :: x(40)
  call fill_i4(a, 40, 9)
  call fill_r8(x, 40, 5)
  bits = 0
  do i = 1, 32
    x(i) = x(i) + 1.0d0
    if (x(i) > 2.0d0) bits = bits + 3
  end do
  a(33:40) = int(bits)
  call show_i4(1, a, 40)
end subroutine
