program p
  print *, real(1, 3)
end program
