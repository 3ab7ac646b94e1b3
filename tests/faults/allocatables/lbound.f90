! told at 4:19: Allocatable variable 'a' is not allocated
program fault
  integer, allocatable :: a(:)
  print *, ubound(a, 1)
end program
