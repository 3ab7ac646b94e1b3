! Loops over arrays that share memory by EQUIVALENCE, shifted by two.
program hard_alias_equivalence
  implicit none
  integer :: a(10), b(10), s, t(2), i, scalar
  equivalence (a(3), b(1)), (a(5), scalar), (s, t(2))
  do i = 1, 10
    a(i) = i
  end do
  b(9) = 9
  b(10) = 10
  do i = 1, 8
    b(i) = a(i) * 10
  end do
  print *, a
  do i = 1, 8
    a(i) = b(i) + 1
  end do
  print *, b
  scalar = 0
  do i = 1, 10
    a(i) = a(i) + scalar
    if (i == 5) scalar = 1
  end do
  print *, a
  t = 0
  do i = 1, 5
    s = s + i
    t(2) = t(2) * 2
    t(1) = t(1) + s
  end do
  print *, t, s
end program
