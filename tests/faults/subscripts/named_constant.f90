! told at 6:14: Index '4' of dimension 1 of array 'c' above upper bound of 3
program fault
  integer, parameter :: c(3) = [1, 2, 3]
  integer :: n
  n = 4
  print *, c(n)
end program
