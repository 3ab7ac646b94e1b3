! Operands of types that an operator does not take.
program type_operators
  implicit none
  integer :: i
  logical :: l
  character(len=3) :: s
  complex :: z
  i = i + l
  i = i * s
  l = l < l
  l = l == l
  l = i .and. l
  l = .not. i
  s = s // i
  l = z < z
  l = s == i
  i = -s
end program
