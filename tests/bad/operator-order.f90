! Operators in an order that the grammar of expressions does not have.
program order
  implicit none
  logical :: l
  integer :: a, b, c
  a = 1; b = 2; c = 3
  l = a < b < c
  l = a == .not. l
  l = .not. .not. (a < b)
  c = a * -b ** -c
end program
