! told at 7:14: Substring out of bounds: lower bound (0) of 's' is less than one
program fault
  character(len=4) :: s = 'abcd'
  integer :: m, n
  m = 0
  n = 5
  print *, s(m:n)
end program
