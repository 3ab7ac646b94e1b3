! Loops that look alike but differ in bounds, steps or directions.
program hard_fuse_bounds
  implicit none
  integer :: a(30), b(30), i, n, m
  n = 30
  m = 29
  do i = 1, n
    a(i) = i
  end do
  do i = 1, m
    b(i) = a(i + 1)
  end do
  b(30) = 0
  print *, sum(b)
  do i = n, 1, -1
    a(i) = a(i) + b(i)
  end do
  do i = 1, n
    b(i) = a(n + 1 - i)
  end do
  print *, b(1), b(2), b(30), sum(b)
  do i = 1, n, 2
    a(i) = b(i)
  end do
  do i = 2, n, 2
    a(i) = a(i - 1)
  end do
  print *, a(1:6), sum(a)
  do i = 1, n
    n = n
    a(i) = i
  end do
  m = 10
  do i = 1, m
    b(i) = a(i)
    m = m - 1
  end do
  do i = 1, m
    b(i) = -1
  end do
  print *, b(1:12), m
end program
