module m
  integer, protected :: i = 1
end module
program p
  use m
  i = 2
end program
