program p
  real :: a(4) = 1
  print *, a(1:4:0)
end program
