! Complex arithmetic, mixed with reals and integers, in both precisions.
program complex_arithmetic
  implicit none
  complex :: a, b, c
  complex(kind=8) :: d, e
  a = (1.0, 2.0)
  b = (-3.0, 0.5)
  print *, a + b, a - b, a * b
  c = a / (0.0, 2.0)
  print *, c, -a, a * 2, 1.0 + b, 2 - a
  print *, a == b, a /= b, a == (1.0, 2.0)
  d = (1.5d0, -0.5d0)
  e = a
  print *, d * e, d + a, d / 2.0d0
  print *, a ** 2, d ** 3, a ** 0
  a = 5
  print *, a, real(d), dble(d)
  b = d
  print *, b
end program
