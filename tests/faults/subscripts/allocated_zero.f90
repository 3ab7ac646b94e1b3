! told at 7:5: Index '1' of dimension 1 of array 'a' above upper bound of 0
program fault
  integer, allocatable :: a(:)
  integer :: n
  n = 0
  allocate (a(n))
  a(1) = 1
end program
