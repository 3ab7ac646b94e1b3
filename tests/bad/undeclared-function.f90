! A function used without a type under IMPLICIT NONE.
program undeclared_function
  implicit none
  integer :: i
  i = twice(3)
  print *, i
end program
integer function twice(n)
  implicit none
  integer, intent(in) :: n
  twice = 2 * n
end function
