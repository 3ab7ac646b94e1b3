! told at 7:16: Substring out of bounds: upper bound (4) of 's' exceeds string length (3)
program fault
  character(len=:), allocatable :: s
  integer :: n
  n = 4
  s = 'abc'
  print *, s(2:n)
end program
