! Whole-array expressions of ranks one to three, scalars spread over arrays.
program array_whole
  implicit none
  integer :: a(5), b(5), c(2, 3), d(2, 3), e(2, 2, 2)
  integer :: i
  a = 3
  b = (/ (i, i = 1, 5) /)
  a = a * b - b / 2 + 1
  print *, a
  c = 2
  d = c ** 3 - 1
  c = -d + abs(-c)
  print *, c, d
  e = 0
  e(:, 1, :) = 5
  e = e + e
  print *, e
  b = merge(b, -b, mod(b, 2) == 0)
  print *, b
end program
