! told at 7:24: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:)
  integer :: n
  n = 0
  if (n > 0) allocate (a(n))
  write (*, '(3F6.2)') a
end program
