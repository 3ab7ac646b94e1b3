! told at 5:15, where i = 4: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 0, n, i
  n = 4
  print *, (a(i), i = 1, n)
end program
