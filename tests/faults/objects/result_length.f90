! told at 4:12: 'f' has the length 4 here, but is a function of the length 8
program fault
  character(4), external :: f
  print *, f(1)
end program
