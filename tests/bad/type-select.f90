! SELECT CASE of wrong types, overlapping and repeated cases.
program type_select
  implicit none
  integer :: i
  real :: x
  x = 1.0
  select case (x)
  end select
  select case (i)
  case ('a')
    print *, 1
  case (1:5)
    print *, 2
  case (3)
    print *, 3
  case (7, 7)
    print *, 4
  case default
  case default
  end select
end program
