! told at 5:30: The argument 'dim' is 3, but must be from 1 to 2
program fault
  integer :: a(2, 2) = 1, n
  n = 3
  print *, eoshift(a, 1, dim=n)
end program
