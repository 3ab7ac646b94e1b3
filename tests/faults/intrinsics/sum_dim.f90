! told at 5:19: The argument 'dim' is 3, but must be from 1 to 2
program fault
  integer :: n, a(2, 2) = 1
  n = 3
  print *, sum(a, n)
end program
