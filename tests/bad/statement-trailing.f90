! Statements that go on after their end.
program statement_trailing
  implicit none
  integer :: i
  i = 1 2
  i = (1 + 2))
  if (i == 3) then i = 4
  end if
  go to 10 20
10 continue
end program
