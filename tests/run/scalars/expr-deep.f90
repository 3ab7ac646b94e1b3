! A long and deep expression with every arithmetic operator.
program expr_deep
  implicit none
  integer :: a, b, c, d
  double precision :: x
  a = 3
  b = -4
  c = 7
  d = 2
  print *, ((((((((a + b) * c - d) * a + b) * c - d) / d + a) * b - c) * d + a) - b)
  print *, a + b * c - d ** a / b + c * (d - a * (b + c * (d - a * (b + c))))
  print *, a - (b - (c - (d - (a - (b - (c - (d - (a - b))))))))
  x = 0.5d0
  print *, ((x + a) / (x - b)) * ((x * c) - (x / d)) - (((x)))
  print *, x + x * (1 + x * (1 + x * (1 + x * (1 + x * (1 + x * (1 + x))))))
end program
