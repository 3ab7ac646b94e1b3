! told at 5:16: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 1, n
  n = 4
  if (n > 3) a(n) = 2
  print *, a
end program
