! told at 5:16: Index '0' of dimension 1 of array 'a' below lower bound of 1
program fault
  integer :: a(4) = 1, n
  n = 0
  print *, a(4:n:-1)
end program
