! told at 5:21: The argument 'shift' of 'ishft' is 40, but must be from -32 to 32
program fault
  integer :: n
  n = 40
  print *, ishft(1, n)
end program
