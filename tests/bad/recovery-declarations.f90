! A declaration that cannot be read: only it is told of, not the names that it would have declared.
subroutine first(mask, back)
  implicit none
  logical, intent(in), :: mask(:), back
  integer pointer :: ip
  if (any(mask) .and. back) print *, ip
  ip => null()
end subroutine
subroutine second
  implicit none
  integer :: : best(2), runs
  best = 1
  runs = 2
  print *, best, runs
end subroutine
subroutine third
  implicit none
  integer :: i
  i = missing
end subroutine
