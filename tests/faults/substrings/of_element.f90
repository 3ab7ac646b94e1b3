! told at 6:22: Substring out of bounds: upper bound (6) of 'word' exceeds string length (5)
program fault
  character(5) :: word(2) = 'abcde'
  integer :: n
  n = 6
  print *, word(2)(1:n)
end program
