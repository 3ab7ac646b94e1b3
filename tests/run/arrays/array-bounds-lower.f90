! Lower bounds other than one: LBOUND, UBOUND, sections start at one again.
program array_bounds_lower
  implicit none
  integer :: a(-3:3), b(0:2, 5:6), i
  do i = -3, 3
    a(i) = i
  end do
  b = 7
  print *, lbound(a), ubound(a), size(a)
  print *, lbound(b), ubound(b), shape(b)
  print *, lbound(b, 2), ubound(b, 1), size(b, 2)
  print *, lbound(a(-1:2)), ubound(a(-1:2))
  print *, a(-3), a(0), a(3), a(-2:2:2)
  print *, maxloc(a), minloc(a), maxloc(a(-1:1))
end program
