! told at 5:21: The argument 'pos' of 'btest' is -1, but must be from 0 to 31
program fault
  integer :: n
  n = -1
  print *, btest(7, n)
end program
