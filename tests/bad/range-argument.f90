program p
  print *, sin(1:2)
end program
