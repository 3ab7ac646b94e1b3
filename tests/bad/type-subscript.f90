! Subscripts that are not integers, and too few or too many of them.
program type_subscript
  implicit none
  integer :: a(3, 4), i
  real :: x
  logical :: l
  a(1) = 1
  a(1, 2, 3) = 1
  a(l, 1) = 1
  i = a('x', 1)
  i(1) = 2
  x = a(1:2.5, 1)
end program
