! Computed GOTO and arithmetic IF of wrong types.
program goto_bad
  implicit none
  integer :: i, a(3)
  logical :: l
  complex :: z
  go to (10, 20), l
  go to (10, 20), a
  if (l) 10, 20, 10
  if (z) 10, 20, 10
  if (a) 10, 20, 10
  go to i
10 continue
20 continue
end program
