! told at 9:9: Index '11' of dimension 1 of array 'table' above upper bound of 10
module m
  real :: table(10) = 0
end module
program fault
  use m
  integer :: n
  n = 11
  table(n) = 1
  print *, table
end program
