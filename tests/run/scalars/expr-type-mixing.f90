! Mixed operands take the type of the stronger one, operator by operator.
program expr_type_mixing
  implicit none
  integer :: i
  integer(kind=8) :: l
  real :: r
  double precision :: d
  complex :: z
  i = 7
  l = 2
  r = 0.1
  d = 0.1d0
  z = (1.0, 1.0)
  print *, i / 2 * r, i * r / 2, r + d, r * i + d, (r + i) * d
  print *, i * l, i / l, l ** i, i + d, z * i, z + d, z * r
  print *, r == d, i == 7.0, l == 2.0d0, z == (1.0d0, 1.0d0), 7 / 2 == 3.5, 7 / 2. == 3.5
  print *, max(i, 8) + r, mod(i, 4) * d, i ** 2 * 0.5
end program
