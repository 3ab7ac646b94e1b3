! Constant shapes that differ.
program shape_mismatch
  implicit none
  integer :: a(3), b(4), c(2, 3), d(3, 2)
  a = b
  a = b(1:2)
  a(1:2) = (/ 1, 2, 3 /)
  c = d
  c = transpose(c)
  a = a + b
  b(1:4:2) = a
  where (a > 0) b = 1
  if (all(a == b)) print *, 1
end program
