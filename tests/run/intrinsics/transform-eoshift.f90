! EOSHIFT: boundary values, DIM, array of shifts, characters and logicals.
program transform_eoshift
  implicit none
  integer :: v(5), m(2, 3), i
  character(len=2) :: s(3)
  logical :: l(3)
  v = (/ (i, i = 1, 5) /)
  print *, eoshift(v, 2), eoshift(v, -2), eoshift(v, 7)
  print *, eoshift(v, 1, boundary=99), eoshift(v, -3, -1)
  m = reshape((/ (i, i = 1, 6) /), (/ 2, 3 /))
  print *, eoshift(m, 1)
  print *, eoshift(m, -1, dim=2)
  print *, eoshift(m, (/ 1, -1 /), 50, 2)
  print *, eoshift(m, 1, (/ 7, 8, 9 /), 1)
  s = (/ 'ab', 'cd', 'ef' /)
  print *, eoshift(s, 1), '|'
  l = .true.
  print *, eoshift(l, 1)
end program
