! --passes=vectorize at l, discharged
subroutine k1()
  implicit none
  integer :: n1, n2, n3
  integer(8) :: i, k
  double precision :: a(40), m
  common /opaque/ n1, n2, n3
  do i = 1, 40
    a(i) = -1.0d0
  end do
  a(8) = 2.0d0
  a(7) = dble(n3) / n3
  m = 0.0d0
  k = n1
  do i = k, 39
    m = max(m, a(i))
    k = i + 2
  end do
  a(1) = m
  call show_r8(1, a, 40)
end subroutine
