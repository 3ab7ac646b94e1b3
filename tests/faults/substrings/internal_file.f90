! told at 6:14: Substring out of bounds: upper bound (9) of 's' exceeds string length (8)
program fault
  character(len=8) :: s
  integer :: n
  n = 9
  write (s(1:n), '(i4)') n
  print *, s
end program
