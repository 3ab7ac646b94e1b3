! told at 6:16: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:)
  integer :: n
  n = 3
  print *, sum(a(1:n))
end program
