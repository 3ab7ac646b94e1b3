! told at 6:23: Index '5' of dimension 2 of array 'a' above upper bound of 4
program fault
  real :: a(4, 4) = 0
  integer :: n
  n = 5
  print *, sum(a(:, 2:n))
end program
