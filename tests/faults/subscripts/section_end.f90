! told at 5:7: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3), n
  n = 4
  a(1:n) = 5
  print *, a
end program
