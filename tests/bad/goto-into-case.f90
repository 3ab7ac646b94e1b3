! A label inside a SELECT block is not a target from outside.
program goto_into_case
  implicit none
  integer :: i
  i = 3
  select case (i)
  case (1)
    go to 10
  case (3)
10  print *, 'three'
  end select
end program
