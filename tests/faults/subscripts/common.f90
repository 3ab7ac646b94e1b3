! told at 6:14: Index '0' of dimension 1 of array 'x' below lower bound of 1
program fault
  common /block/ x(3), n
  n = 0
  x = 1
  print *, x(n)
end program
