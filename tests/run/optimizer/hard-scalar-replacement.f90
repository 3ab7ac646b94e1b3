! Values carried from one iteration to the next, over distances one to three.
program hard_scalar_replacement
  implicit none
  integer :: a(30), b(30), i, k
  a = 1
  do i = 4, 30
    a(i) = mod(a(i - 1) + 2 * a(i - 2) + 3 * a(i - 3), 1000)
  end do
  print *, a
  do i = 1, 29
    b(i) = a(i) + a(i + 1)
    a(i + 1) = b(i) - 1
  end do
  b(30) = 0
  print *, mod(sum(b), 10007)
  do i = 2, 29
    if (mod(i, 3) == 0) a(i - 1) = 0
    b(i) = a(i - 1) + a(i)
  end do
  print *, b(2:29)
  k = 5
  do i = 1, 10
    b(k) = b(k) + i
    if (i == 6) k = 6
  end do
  print *, b(5), b(6)
  do i = 1, 10
    a(1) = a(1) + i
    a(i) = a(i) + a(1)
  end do
  print *, a(1:10)
end program
