! A procedure that calls itself without RECURSIVE.
integer function factorial(n)
  implicit none
  integer, intent(in) :: n
  integer, external :: other
  factorial = 1
  if (n > 1) factorial = n * factorial(n - 1)
end function
subroutine down(n)
  implicit none
  integer, intent(in) :: n
  if (n > 0) call down(n - 1)
end subroutine
program call_recursion
  implicit none
  call down(3)
end program
