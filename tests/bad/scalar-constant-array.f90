program p
  integer, parameter :: n = [1, 2]
  print *, n
end program
