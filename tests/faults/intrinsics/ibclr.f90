! told at 5:21: The argument 'pos' of 'ibclr' is 32, but must be from 0 to 31
program fault
  integer :: n
  n = 32
  print *, ibclr(7, n)
end program
