! Bounds of adjustable arrays from what has no value at entry.
subroutine s(a, b, m)
  implicit none
  integer :: k
  integer :: a(k)
  integer :: m, b(m)
  integer, save :: c(m)
  integer :: d(f(m))
  integer, external :: f
  data b / 1 /
end subroutine
program adjustable_bad
  implicit none
end program
