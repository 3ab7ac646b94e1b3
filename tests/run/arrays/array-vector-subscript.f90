! Vector subscripts on both sides.
program array_vector_subscript
  implicit none
  integer :: a(6), b(6), k(4), m(3, 3), i
  a = (/ (10 * i, i = 1, 6) /)
  k = (/ 5, 1, 6, 2 /)
  print *, a(k)
  b = 0
  b(k) = (/ 1, 2, 3, 4 /)
  print *, b
  a(k) = a(k) + 1
  print *, a
  print *, a((/ 3, 3, 3 /)), sum(a(k(2:3)))
  a(k) = a(k((/ 4, 3, 2, 1 /)))
  print *, a
  m = reshape((/ (i, i = 1, 9) /), (/ 3, 3 /))
  print *, m((/ 3, 1 /), 2), m(2, (/ 1, 3, 1 /)), m((/ 2, 3 /), (/ 3, 1 /))
end program
