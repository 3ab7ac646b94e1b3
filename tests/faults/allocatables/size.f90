! told at 4:17: Allocatable variable 'a' is not allocated
program fault
  integer, allocatable :: a(:)
  print *, size(a)
end program
