! told at 6:19: Index '9' of dimension 1 of array 'a' above upper bound of 3
program fault
  real :: a(3) = 4
  integer :: n
  n = 9
  print *, sqrt(a(n))
end program
