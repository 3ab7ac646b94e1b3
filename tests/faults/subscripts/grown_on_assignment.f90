! told at 7:14: Index '1' of dimension 1 of array 'a' above upper bound of 0
program fault
  integer, allocatable :: a(:)
  integer :: n
  n = 1
  a = [integer ::]
  print *, a(n)
end program
