! told at 5:5: Index '-4' of dimension 1 of array 'a' below lower bound of -3
program fault
  integer :: a(-3:3) = 1, n
  n = -4
  a(n) = 2
  print *, a
end program
