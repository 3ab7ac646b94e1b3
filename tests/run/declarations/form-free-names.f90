! No reserved words in free form, upper and lower case are the same.
program form_free_names
  implicit none
  integer :: if, then, else, do, end, integer, print, call
  integer real
  If = 1
  THEN = 2
  if (if == 1) then
    then = 3
  else
    else = 4
  end if
  else = 5
  do do = 1, 3
    end = do
  end do
  integer = 8
  print = 9
  call = 10
  real = 11
  print *, IF, Then, elsE, DO, end, integer, print, CALL, real
end program
