! Left sides that are not variables.
program assign_not_variable
  implicit none
  integer :: i
  integer, external :: f
  1 = i
  i + 1 = 2
  'a' = i
  assign_not_variable = 1
  s = 3
  f = 2
contains
  subroutine s
  end subroutine s
end program
