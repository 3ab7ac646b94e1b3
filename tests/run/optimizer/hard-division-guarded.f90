! An invariant division by zero stays behind its IF; a load behind its test.
program hard_division_guarded
  implicit none
  integer :: i, n, zero, s, index, v(3)
  double precision :: x, y
  common /hidden/ zero, index, y
  zero = 0
  index = 100000000
  y = 0.0d0
  v = 7
  s = 0
  do i = 1, 10
    if (zero /= 0) s = s + 100 / zero
    if (index <= 3) s = s + v(index)
    s = s + i
  end do
  print *, s
  n = 0
  do i = 1, n
    s = s + 7 / n + mod(s, n)
  end do
  print *, s
  x = 0.0d0
  do i = 1, 4
    if (i > 4) x = x + sqrt(-1.0d0 - y)
    if (y > 0.0d0) x = x + 1.0d0 / y
  end do
  print *, x
  do while (zero > 0)
    s = 1 / zero
  end do
  print *, s
end program
