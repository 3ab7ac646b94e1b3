! DO CONCURRENT: masks, several indices, a type in the header of FORALL.
program p
  implicit none
  integer :: i, j, n
  real :: a(4,4), x(10)
  n = 4
  a = 0
  do concurrent (i=1:n, j=1:n, i /= j)
    a(i, j) = i*10 + j
  end do
  print '(4f6.1)', a
  x = 0
  do concurrent (i = 1:10:3)
    x(i) = i
  end do
  print *, x(1:10:3)
  i = 77
  do concurrent (i = 1:2)
    x(i) = 0
  end do
  print *, i, x(1:2)
end program
