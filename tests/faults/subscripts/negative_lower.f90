! told at 5:5: Index '-3' of dimension 1 of array 'a' below lower bound of -2
program fault
  integer :: a(-2:2) = 0, n
  n = -3
  a(n) = 1
  print *, a
end program
