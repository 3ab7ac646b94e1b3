! Array constructors: nested implied DO, mixed parts, [ ], empty, in expressions.
program array_constructors
  implicit none
  integer :: i, j, k(7), n
  double precision :: d(3)
  logical :: l(3)
  character(len=3) :: s(2)
  k = (/ 10, (i * i, i = 1, 4), 20, 30 /)
  print *, k
  print *, (/ ((10 * i + j, j = 1, i), i = 1, 3) /)
  print *, [ (i, i = 5, 1, -2) ], size((/ (i, i = 1, 0) /))
  d = (/ 1.0d0, 2.0d0 / 4.0d0, sqrt(9.0d0) /)
  print *, d
  l = (/ .true., 1 > 2, .not. .false. /)
  print *, l
  s = (/ 'abc', 'xyz' /)
  print *, s
  n = 3
  print *, sum((/ (i * n, i = 1, n) /)), (/ k(2:4), n, k(7) /)
  print *, (/ 1, 2, 3 /) + (/ 4, 5, 6 /) * 2
end program
