! told at 6:10: Substring out of bounds: upper bound (7) of 'word' exceeds string length (5)
program fault
  character(5) :: word = 'abcde'
  integer :: n
  n = 7
  word(2:n) = 'x'
  print *, word
end program
