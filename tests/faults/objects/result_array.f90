! told at 4:12: A call of 'f' needs its explicit interface: the result is an array
program fault
  real, external :: f
  print *, f(1)
end program
