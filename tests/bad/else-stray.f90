! ELSE, ELSE IF, CASE and ELSEWHERE outside their constructs, ELSE twice.
program else_stray
  implicit none
  integer :: i
  i = 1
  else
  case (1)
  elsewhere
  if (i == 1) then
    i = 2
  else
    i = 3
  else
    i = 4
  else if (i == 5) then
    i = 6
  end if
end program
