program p
  integer, parameter :: a(100000000) = 1
  print *, a(3)
end program
