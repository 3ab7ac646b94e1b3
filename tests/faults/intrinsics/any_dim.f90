! told at 6:19: The argument 'dim' is 4, but must be from 1 to 2
program fault
  integer :: n
  logical :: a(2, 2) = .true.
  n = 4
  print *, any(a, n)
end program
