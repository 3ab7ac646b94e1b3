! WHERE statements: logical masks of every kind of expression.
program where_statement
  implicit none
  integer :: a(6), i
  double precision :: x(6), y(6)
  logical :: mask(6)
  a = (/ (i, i = -2, 3) /)
  where (a < 0) a = -a
  print *, a
  x = a
  y = 0.0d0
  where (x > 0.0d0) y = 1.0d0 / x
  print *, y
  mask = a > 1
  where (.not. mask .and. a /= 0) a = 100
  print *, a
  where (mask(1:3)) a(4:6) = a(1:3)
  print *, a
end program
