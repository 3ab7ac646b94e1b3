! --passes=vectorize at l, discharged
subroutine k1()
  implicit none
  integer :: i, k, m(1)
  double precision :: a(40), b(40)
  do i = 1, 40
    a(i) = i
    b(i) = i * 0.25d0
  end do
  k = 3
  do i = 1, 40
    if (b(i) > 2.0d0) a(i) = a(i) * 2.0d0
    if (b(i) < 1.0d0) k = k + 1
  end do
  m(1) = k
  call show_i4(1, m, 1)
  call show_r8(1, a, 40)
end subroutine
