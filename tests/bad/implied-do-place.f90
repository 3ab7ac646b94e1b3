program p
  integer :: i
  i = (i, i = 1, 3)
end program
