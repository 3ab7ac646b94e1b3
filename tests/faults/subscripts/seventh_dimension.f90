! told at 5:32: Index '3' of dimension 7 of array 'a' above upper bound of 2
program fault
  integer :: a(2, 2, 2, 2, 2, 2, 2) = 1, n
  n = 3
  print *, a(1, 1, 1, 1, 1, 1, n)
end program
