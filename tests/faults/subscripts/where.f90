! told at 5:14: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 1, n
  n = 4
  where (a(1:n) > 0) a(1:n) = 2
  print *, a
end program
