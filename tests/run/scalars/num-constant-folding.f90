! The same expressions of constants and of variables must agree.
program num_constant_folding
  implicit none
  double precision :: a, b, c
  integer :: i, j
  common /hidden/ a, b, c, i, j
  a = 0.1d0
  b = 3.0d0
  c = 1.0d-3
  i = 17
  j = -5
  print *, 0.1d0 * 3.0d0 == a * b, 0.1d0 + 1.0d-3 == a + c, 1.0d0 / 3.0d0 == 1.0d0 / b
  print *, 17 / (-5) == i / j, mod(17, -5) == mod(i, j), 17 ** 2 - i * i, ishft(17, 2) - ishft(i, 2)
  print *, 0.1d0 * 3.0d0, 0.1 * 3.0, 0.1d0 * 3, sqrt(0.1d0) == sqrt(a)
  print *, (0.1d0 + 0.2d0) + 0.3d0, 0.1d0 + (0.2d0 + 0.3d0)
end program
