! told at 4:7: Allocatable variable 'n' is not allocated
program fault
  integer, allocatable :: n
  if (n > 2) print *, 'large'
end program
