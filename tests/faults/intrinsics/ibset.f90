! told at 5:21: The argument 'pos' of 'ibset' is 32, but must be from 0 to 31
program fault
  integer :: n
  n = 32
  print *, ibset(1, n)
end program
