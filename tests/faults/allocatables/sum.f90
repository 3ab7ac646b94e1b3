! told at 4:16: Allocatable variable 'a' is not allocated
program fault
  integer, allocatable :: a(:)
  print *, sum(a)
end program
