! Adjacent loops that share a scalar, a reduction, or an exit between them.
program hard_fuse_scalar
  implicit none
  integer :: a(12), b(12), i, s, t, last
  s = 0
  do i = 1, 12
    a(i) = i * i
    s = s + a(i)
  end do
  do i = 1, 12
    b(i) = s - a(i)
  end do
  print *, s, b(1), b(12)
  t = 0
  do i = 1, 12
    t = mod(t + a(i), 17)
    a(i) = t
  end do
  t = 1
  do i = 1, 12
    t = mod(t * 3 + b(i), 19)
    b(i) = t
  end do
  print *, a
  print *, b
  last = 0
  do i = 1, 12
    if (a(i) == 14) exit
    last = i
  end do
  do i = 1, 12
    a(i) = last + i
  end do
  print *, last, a(12)
end program
