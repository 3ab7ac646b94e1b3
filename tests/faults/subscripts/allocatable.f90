! told at 8:5: Index '6' of dimension 1 of array 'a' above upper bound of 5
program fault
  integer, allocatable :: a(:)
  integer :: n
  n = 5
  allocate (a(n))
  a = 1
  a(n + 1) = 2
  print *, a
end program
