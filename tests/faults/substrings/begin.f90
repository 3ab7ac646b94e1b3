! told at 6:17: Substring out of bounds: lower bound (0) of 'word' is less than one
program fault
  character(5) :: word = 'abcde'
  integer :: n
  n = 0
  print *, word(n:3)
end program
