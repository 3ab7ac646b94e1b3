! Sums whose value depends on the order of the additions.
program hard_sum_order
  implicit none
  double precision :: v(64), s, t, u(4)
  real :: r
  integer :: i
  do i = 1, 64
    v(i) = (-1.0d0) ** i * 1.0d16 / i + i
  end do
  s = 0.0d0
  do i = 1, 64
    s = s + v(i)
  end do
  t = 0.0d0
  do i = 64, 1, -1
    t = t + v(i)
  end do
  print *, s, t, s == t
  u = 0.0d0
  do i = 1, 64, 4
    u(1) = u(1) + v(i)
    u(2) = u(2) + v(i + 1)
    u(3) = u(3) + v(i + 2)
    u(4) = u(4) + v(i + 3)
  end do
  print *, u, u(1) + u(2) + u(3) + u(4)
  r = 0.0
  do i = 1, 1000
    r = r + 0.1
  end do
  print *, r
  s = 1.0d0
  do i = 1, 60
    s = s * (1.0d0 + 1.0d0 / i) - s / (i + 1)
  end do
  print *, s
end program
