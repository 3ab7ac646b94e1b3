program p
  integer, bind(c) :: i
  i = 1
end program
