! Procedures that C calls, with arguments that may be absent beside values.
real(c_double) function weighed(a, b, c, d, e, f, g, z, h, v) bind(c)
  use, intrinsic :: iso_c_binding
  real(c_double), value :: a, b, c, d, e, f, g, h
  complex(c_double_complex), value :: z
  real(c_double), optional :: v
  weighed = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 100 * real(z) + 1000 * aimag(z) + 10000 * h
  if (present(v)) weighed = weighed + v
end function
real(c_double) function light(a, b, c, d, e, f, g, z, y, v) bind(c)
  use, intrinsic :: iso_c_binding
  real(c_float), value :: a, b, c, d, e, f, g
  complex(c_float_complex), value :: z, y
  real(c_double), optional :: v
  light = a + b + c + d + e + f + g + 10 * real(z) + 100 * aimag(z) + 1000 * real(y) + 10000 * aimag(y)
  if (present(v)) light = light + v
end function
real(c_double) function ordered(v, i, j, k, l, m, n, z) bind(c)
  use, intrinsic :: iso_c_binding
  integer(c_long), value :: i, j, k, l, m, n
  real(c_double), optional :: v
  complex(c_double_complex), value :: z
  ordered = i + 2 * j + 3 * k + 4 * l + 5 * m + 6 * n + 10 * real(z) + 100 * aimag(z)
  if (present(v)) ordered = -ordered
end function
