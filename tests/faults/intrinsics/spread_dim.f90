! told at 5:22: The argument 'dim' is 3, but must be from 1 to 2
program fault
  integer :: n, a(4) = 1
  n = 3
  print *, spread(a, n, 2)
end program
