program p
  print *, null()
end program
