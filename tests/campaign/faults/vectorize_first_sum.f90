! --passes=vectorize at h
subroutine k1()
  implicit none
  integer :: i
  integer(8) :: total, b(40)
  integer :: a(40)
  call fill_i4(a, 40, 9)
  do i = 1, 40
    b(i) = a(i)
  end do
  total = 0
  do i = 1, 32
    b(i) = b(i) + 3
    total = total + b(i)
  end do
  a(40) = int(mod(total, 1000_8))
  call show_i4(1, a, 40)
end subroutine
