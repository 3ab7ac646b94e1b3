! told at 5:7: Index '5' of dimension 1 of array 'a' above upper bound of 4
program fault
  integer :: a(4), n
  n = 6
  a(1:n:2) = 5
  print *, a
end program
