! MATMUL: matrix times matrix, matrix times vector, vector times matrix.
program matmul_forms
  implicit none
  integer :: a(2, 3), b(3, 2), v(3), w(2), c(2, 2), i
  double precision :: x(4, 4), y(4)
  a = reshape((/ (i, i = 1, 6) /), (/ 2, 3 /))
  b = reshape((/ (7 - i, i = 1, 6) /), (/ 3, 2 /))
  v = (/ 1, 0, -1 /)
  w = (/ 2, 3 /)
  c = matmul(a, b)
  print *, c
  print *, matmul(a, v), matmul(w, a)
  print *, matmul(transpose(a), c)
  print *, matmul(a(:, 1:2), c) + c
  x = 0.0d0
  forall (i = 1:4) x(i, i) = 0.5d0 * i
  x(1, 4) = 2.0d0
  y = (/ 1.0d0, 2.0d0, 3.0d0, 4.0d0 /)
  y = matmul(x, y)
  print *, y
  x = matmul(x, x)
  print *, x(1, :), x(4, 4)
end program
