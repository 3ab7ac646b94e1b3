! told at 6:23: Substring out of bounds: lower bound (-1) of 's' is less than one
program fault
  character(len=8) :: s = 'abc'
  integer :: n
  n = -1
  print *, len_trim(s(n:3))
end program
