! Identities that hold for numbers on paper but not for floating point.
program hard_float_identities
  implicit none
  double precision :: zero, one, inf, nan, tiny1, x, y
  common /hidden/ zero, one, inf, nan, tiny1, x, y
  zero = 0.0d0
  one = 1.0d0
  inf = one / zero
  nan = inf - inf
  tiny1 = 1.0d-300
  x = 0.1d0
  y = 3.0d0
  print *, nan * zero == zero, inf * zero == zero, nan - nan == zero, inf / inf == one
  print *, -zero + zero, -zero - zero, zero - zero, zero * (-one), -(zero)
  print *, x / y == x * (one / y), x / 8.0d0 == x * 0.125d0, (x * y) / y == x
  print *, tiny1 * tiny1 / tiny1 == tiny1, x + y - y == x, 2.0d0 * x == x + x
  print *, .not. (nan < one), nan >= one, .not. (nan == nan), nan /= nan
  print *, max(zero, -one), sqrt(x * x) == x, abs(-zero), sign(one, -zero)
  print *, x * y * y == x * (y * y), (x + y) + one == x + (y + one)
  print *, inf > huge(x), -inf < -huge(x), one / inf, x ** 2 == x * x
end program
