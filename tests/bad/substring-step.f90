program p
  character(5) :: c = 'hello'
  print *, c(1:4:2)
end program
