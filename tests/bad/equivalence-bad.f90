! EQUIVALENCE that contradicts itself or names what has no storage of its own.
subroutine s(x)
  implicit none
  integer :: x, y, a(4), b(4)
  integer, parameter :: n = 3
  equivalence (x, y)
  equivalence (n, y)
  equivalence (a(1), b(1))
  equivalence (a(2), b(1))
  equivalence (y)
  equivalence (y, a(y))
end subroutine
program equivalence_bad
  implicit none
end program
