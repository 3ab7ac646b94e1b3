! told at 4:3: Allocatable variable 'a' is not allocated
program fault
  integer, allocatable :: a(:)
  a = 3
  print *, a
end program
