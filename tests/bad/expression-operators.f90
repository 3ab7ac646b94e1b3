! Operators without operands and side by side.
program expression_operators
  implicit none
  integer :: i
  logical :: l
  i = 1 + * 2
  i = / 3
  l = i = 3
  l = .and. .true.
  l = i =< 3
  l = i .gq. 3
end program
