! told at 5:5: Index '-1' of dimension 1 of array 'a' below lower bound of 1
program fault
  integer :: a(3), n
  n = -1
  a(n:2) = 5
  print *, a
end program
