! told at 6:7: Substring out of bounds: upper bound (6) of 's' exceeds string length (4)
program fault
  character(len=4) :: s = 'abcd'
  integer :: n
  n = 6
  s(1:n) = 'x'
  print *, s
end program
