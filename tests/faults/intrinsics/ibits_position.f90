! told at 5:24: The argument 'len' of 'ibits' is 20, but must be from 0 to 12
program fault
  integer :: n
  n = 20
  print *, ibits(1, n, 20)
end program
