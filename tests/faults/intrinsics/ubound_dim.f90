! told at 5:22: The argument 'dim' is 3, but must be from 1 to 1
program fault
  integer :: n, a(2) = 1
  n = 3
  print *, ubound(a, n)
end program
