! An assumed-size array has no size: it cannot be used whole.
subroutine s(a, n)
  implicit none
  integer :: n, a(*), b(3)
  a = 0
  b = a
  print *, a
  n = size(a)
  n = sum(a)
  b = a(2:)
  b = a(2:4)
end subroutine
program assumed_size_whole
  implicit none
end program
