program p
  character(5) :: c = 'hello'
  print *, c(2:9)
end program
