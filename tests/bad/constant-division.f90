! Division by zero and overflow in constant expressions.
program constant_division
  implicit none
  integer, parameter :: n = 0
  integer, parameter :: a = 1 / n
  integer, parameter :: b = mod(5, 0)
  integer, parameter :: c = huge(1) + 1
  integer, parameter :: d = 2 ** 31
  integer :: v(10 / n)
end program
