program p
  f(x) = f(x) + 1
  print *, f(2.0)
end program
