! Sections, WHERE, FORALL, and functions of arrays.
program sections
  integer, parameter :: n = 11
  real :: a(n), b(n), m(4, 5)
  logical :: l(n)
!HPF$ DISTRIBUTE (BLOCK) :: a, b
!HPF$ DISTRIBUTE l(CYCLIC)
!HPF$ DISTRIBUTE m(BLOCK, CYCLIC)
  integer :: i, j
  a = [(real(i), i = 1, n)]
  b(n:1:-1) = a
  a(2:n) = a(1:n - 1) + b(2:n)
  l = a > b
  where (l)
    a = a - b
  elsewhere
    b = -a
  end where
  forall (i = 1:n, mod(i, 3) == 0) a(i) = b(n + 1 - i)
  forall (i = 1:4, j = 1:5) m(i, j) = i * a(j)
  m(:, 2) = m(:, 4) + 1
  m(2:3, :) = m(3:2:-1, :)
  a(1:4) = matmul(m, b(1:5))
  a = cshift(a, 3)
  b(1:9:2) = a(2:10:2)
  print '(11f7.1)', a, b
  print *, l
  print '(5f8.1)', transpose(m)
  print *, sum(a), maxval(b), minloc(a), count(l), dot_product(a, b), any(a > 5), product(m(1, 1:2))
end program
