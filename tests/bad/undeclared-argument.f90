! A dummy argument and a result without a type.
subroutine s(a, b)
  implicit none
  integer :: a
  a = 1
end subroutine
function f(x)
  implicit none
  real :: x
  f = x
end function
program undeclared_argument
  implicit none
end program
