! told at 5:24: The argument 'len' of 'ibits' is 30, but must be from 0 to 28
program fault
  integer :: n
  n = 30
  print *, ibits(1, 4, n)
end program
