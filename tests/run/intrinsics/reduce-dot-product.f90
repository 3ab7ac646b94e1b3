! DOT_PRODUCT of integers, reals, complex (first conjugated) and logicals.
program reduce_dot_product
  implicit none
  integer :: a(4), b(4)
  double precision :: x(3), y(3)
  complex :: z(2), w(2)
  logical :: l(3), m(3)
  a = (/ 1, 2, 3, 4 /)
  b = (/ 5, -6, 7, -8 /)
  print *, dot_product(a, b), dot_product(a(1:4:3), b(2:3)), dot_product(a(2:1), b(2:1))
  x = (/ 0.5d0, 0.25d0, 2.0d0 /)
  y = (/ 4.0d0, 8.0d0, -1.5d0 /)
  print *, dot_product(x, y), dot_product(a(1:3), x)
  z = (/ (1.0, 2.0), (0.0, -1.0) /)
  w = (/ (3.0, 1.0), (2.0, 2.0) /)
  print *, dot_product(z, w)
  l = (/ .true., .false., .true. /)
  m = (/ .false., .true., .true. /)
  print *, dot_product(l, m), dot_product(l(1:2), m(1:2))
end program
