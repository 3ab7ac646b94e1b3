program p
  real :: a(3) = 1
  print *, sum(a, a > 0, a > 0)
end program
