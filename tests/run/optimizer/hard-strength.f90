! Induction expressions: two in one loop, wrapping conditions, changed steps.
program hard_strength
  implicit none
  integer :: i, j, k, m, a(40)
  integer(kind=8) :: l
  a = 0
  k = 0
  m = 1
  do i = 3, 30, 3
    j = 4 * i - 7
    k = k + 2
    m = m + k
    a(i + k / 2) = j - m
    if (mod(i, 9) == 0) k = k - 1
  end do
  print *, a, k, m
  l = 0
  do i = 1, 5
    l = l + 1000000000_8 * i
    a(2 * i + 1) = int(mod(l, 1000_8)) + (i - 3) * (i - 3)
  end do
  print *, l, a(3:11)
  do i = 10, 1, -3
    a(3 * i - 2 * (i - 1)) = i
  end do
  print *, a(1:12)
end program
