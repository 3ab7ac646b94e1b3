program p
  print *, reshape([1, 2], [2, 2])
end program
