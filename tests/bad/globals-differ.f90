! External procedures that are declared or used as something else than they are.
integer function f()
  f = 1
end function
subroutine s(x)
  real :: x
  x = 1
end subroutine
character(len=5) function c()
  c = 'a'
end function
program globals_differ
  implicit none
  real :: f, s, g, x
  character(len=4) :: c
  external :: g
  x = f()
  x = s(1.0)
  print *, c()
  call g(x)
end program
real function g(y)
  real :: y
  g = y
end function
