! Chains of additions and multiplications are evaluated from the left.
program expr_horner_chains
  implicit none
  double precision :: a, b, c, d, e
  a = 1.0d0
  b = 1.0d-16
  c = 1.0d-16
  d = -1.0d0
  e = 3.0d0
  print *, a + b + c + d, a + (b + c) + d, b + c + a + d
  print *, a * e / e * b, a / e * e, e / 7.0d0 * 7.0d0, 7.0d0 * e / 7.0d0
  print *, a - b - c - d, a - (b + c), (a + d) + (b + c)
  print *, 1.0d200 * 1.0d200 / 1.0d300 > huge(a), 1.0d200 * (a * 1.0d-200)
end program
