! Conversion between kinds and types at assignment and in mixed expressions.
program num_conversion
  implicit none
  integer :: i
  integer(kind=8) :: l
  integer(kind=2) :: h
  real :: r
  double precision :: d
  i = 2.99
  print *, i
  i = -2.99d0
  print *, i
  r = 16777217
  d = 16777217
  print *, r, d
  l = 3000000000_8
  d = l
  r = l
  print *, d, r
  h = i * 1000
  l = h
  print *, h, l, h + 1_8
  r = 0.1
  d = r
  print *, d, d == 0.1d0, r == 0.1, real(d) == r
  print *, 1 / 2, 1 / 2.0, 1.0 / 2, 3 / 2 * 2.0, 2.0 * 3 / 2, i / 2 + 0.5d0
  print *, float(3), dble(2), sngl(2.5d0), real(7, 8), dfloat(4), int(2.5d0, 8)
end program
