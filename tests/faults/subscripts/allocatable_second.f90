! told at 8:17: Index '3' of dimension 2 of array 'a' above upper bound of 2
program fault
  real, allocatable :: a(:, :)
  integer :: n
  n = 3
  allocate (a(4, 2))
  a = 1
  print *, a(1, n)
end program
