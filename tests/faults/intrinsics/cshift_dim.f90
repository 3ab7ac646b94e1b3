! told at 5:25: The argument 'dim' is 2, but must be from 1 to 1
program fault
  integer :: n, a(4) = 1
  n = 2
  print *, cshift(a, 1, n)
end program
