! Arrays of no elements in every operation.
program array_zero_size
  implicit none
  integer :: a(5), b(0), m(3, 0), i, n
  integer, allocatable :: c(:)
  a = 1
  b = 7
  m = 1
  n = 0
  print *, size(b), shape(m), sum(m), b
  a(3:2) = 9
  a(n + 1:n) = b
  print *, a, count(b == 7), all(m == 5)
  allocate (c(n))
  c = a(1:n) + b
  print *, size(c), maxval(c) < 0
  print *, sum(m, 1), 'and', sum(m, 2)
  where (b > 0) b = 1
  forall (i = 1:n) a(i) = 0
  print *, a, matmul(m, b), size(matmul(transpose(m), a(1:3)))
  print *, (/ a(2:1), a(1), b /)
  do i = 1, size(b)
    print *, 'never'
  end do
end program
