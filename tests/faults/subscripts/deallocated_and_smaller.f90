! told at 10:14: Index '4' of dimension 1 of array 'a' above upper bound of 2
program fault
  real, allocatable :: a(:)
  integer :: n
  n = 4
  allocate (a(n))
  deallocate (a)
  allocate (a(2))
  a = 1
  print *, a(n)
end program
