! told at 6:21: The argument 'pos' of 'ibset' is 8, but must be from 0 to 7
program fault
  integer(1) :: k = 1
  integer :: n
  n = 8
  print *, ibset(k, n)
end program
