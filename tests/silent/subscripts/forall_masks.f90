! A FORALL whose mask keeps subscripts in their bounds, and which reads what it assigns.
program right
  integer, parameter :: n = 20
  integer :: a(n), b(0:n), i, j, m(n, n)
  a = (/ (i, i = 1, n) /)
  b = 0
  forall (i = 1:n, i < n) a(i) = a(i + 1) + i
  forall (i = 1:n, a(i) <= n) b(a(i)) = a(i)
  forall (i = 2:n-1, j = 2:n-1) m(i, j) = i * j
  print *, sum(a), sum(b), m(2, 3), m(n - 1, n - 1)
end program
