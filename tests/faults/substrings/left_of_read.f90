! told at 7:23: Substring out of bounds: upper bound (7) of 's' exceeds string length (6)
program fault
  character(6) :: s
  integer :: n
  n = 7
  s = 'abcdef'
  read (s, '(A)') s(n:n)
  print *, s
end program
