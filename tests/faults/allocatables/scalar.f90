! told at 4:12: Allocatable variable 'a' is not allocated
program fault
  integer, allocatable :: a
  print *, a + 1
end program
