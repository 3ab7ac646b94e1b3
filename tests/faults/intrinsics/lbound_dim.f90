! told at 5:22: The argument 'dim' is 0, but must be from 1 to 2
program fault
  integer :: n, a(2, 2) = 1
  n = 0
  print *, lbound(a, n)
end program
