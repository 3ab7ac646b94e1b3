! One name twice in an argument list.
subroutine s(a, b, a)
  implicit none
  integer :: a, b
  b = a
end subroutine
program duplicate_argument
  implicit none
end program
