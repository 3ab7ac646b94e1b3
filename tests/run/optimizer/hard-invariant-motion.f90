! Expressions invariant in the inner loop only, or changed by the last statement.
program hard_invariant_motion
  implicit none
  integer :: i, j, n, s, a(6), limit
  double precision :: x, y
  n = 6
  s = 0
  limit = 10
  a = (/ 1, 2, 3, 4, 5, 6 /)
  do i = 1, n
    do j = 1, n
      s = s + a(i) * limit + n * n
      a(j) = a(j) + (n - i)
    end do
    limit = limit + 1
  end do
  print *, s, a, limit
  x = 1.0d0
  y = 3.0d0
  do i = 1, 10
    x = x / y + y * y
    if (i == 5) y = y + 1.0d0
  end do
  print *, x
  do i = 1, 3
    s = n * 7
    if (i == 2) then
      n = 1
    end if
    print *, s
  end do
end program
