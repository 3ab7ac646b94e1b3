! Intrinsic procedures on arrays of constant shapes that do not fit.
program intrinsic_shapes
  implicit none
  integer :: a(3), b(4), m(2, 3), n(2, 3), i
  i = dot_product(a, b)
  m = matmul(m, n)
  a = merge(a, b, a > 0)
  i = sum(a, mask=b > 0)
  a = a + matmul(m, b)
end program
