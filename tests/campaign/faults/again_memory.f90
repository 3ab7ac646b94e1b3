! --passes=vectorize at l, discharged
subroutine k1()
  implicit none
  integer :: n1, n2, n3, i
  double precision :: a(40), m
  common /opaque/ n1, n2, n3
  do i = 1, 40
    a(i) = -1.0d0
  end do
  a(1) = 3.0d0
  a(3) = dble(n3) / n3
  a(20) = 2.0d0
  m = -5.0d0
  do i = 1, 40
    m = max(m, a(i))
    a(i) = 4.0d0
  end do
  a(1) = m
  call show_r8(1, a, 40)
end subroutine
