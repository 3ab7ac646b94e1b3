! told at 5:23: The argument 'dim' is 3, but must be from 1 to 2
program fault
  integer :: n, a(2, 2) = 1
  n = 3
  print *, product(a, n)
end program
