! Assignments between types that do not convert.
program type_assignment
  implicit none
  integer :: i
  logical :: l
  character(len=3) :: s
  complex :: z
  i = 'abc'
  s = 5
  s = .false.
  z = 'x'
  l = s
end program
