program p
  real :: a(3) = 1
  print *, a(k=1)
end program
