! FORALL: all right sides first, then all stores.
program forall_statement
  implicit none
  integer :: a(6), m(3, 3), i, j
  a = (/ (i, i = 1, 6) /)
  forall (i = 2:6) a(i) = a(i - 1)
  print *, a
  forall (i = 1:6:2) a(i) = -a(i)
  print *, a
  forall (i = 1:3, j = 1:3) m(i, j) = 10 * i + j
  forall (i = 1:3, j = 1:3) m(i, j) = m(j, i)
  print *, m
  forall (i = 3:1:-1) m(i, i) = 0
  print *, m
end program
