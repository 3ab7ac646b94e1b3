! told at 4:12: Allocatable variable 'a' is not allocated
program fault
  integer, allocatable :: a(:)
  print *, a
end program
