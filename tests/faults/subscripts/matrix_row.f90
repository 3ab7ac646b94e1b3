! told at 6:14: Index '3' of dimension 1 of array 'a' above upper bound of 2
program fault
  real :: a(2, 3) = 1
  integer :: n
  n = 3
  print *, a(n, :)
end program
