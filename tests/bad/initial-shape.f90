program p
  integer :: a(3) = [1, 2]
  print *, a
end program
