! COUNT, ANY and ALL: whole, DIM, of expressions, empty.
program reduce_logical
  implicit none
  logical :: l(2, 3), none(0)
  integer :: a(5), i
  l = reshape((/ .true., .false., .true., .true., .false., .false. /), (/ 2, 3 /))
  print *, count(l), any(l), all(l)
  print *, count(l, 1), count(l, dim=2)
  print *, any(l, 1), all(l, 1), any(l, 2), all(l, 2)
  print *, count(none), any(none), all(none)
  a = (/ (i * i, i = 1, 5) /)
  print *, count(a > 8), any(a == 16), all(a > 0), all(a(2:) > a(:4))
  if (any(a > 20) .and. .not. all(a > 20)) print *, 'some'
end program
