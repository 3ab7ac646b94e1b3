! SELECT CASE: statements before the first CASE, lower bound above the upper is fine.
program select_not_constant
  implicit none
  integer :: i
  i = 1
  select case (i)
    i = 2
  case (5:3)
    i = 3
  end select
  select case (i == 1)
  case (.true.:.false.)
  end select
end program
