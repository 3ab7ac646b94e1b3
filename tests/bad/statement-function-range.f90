program p
  f(x) = x + 1
  print *, f(x=2.0)
end program
