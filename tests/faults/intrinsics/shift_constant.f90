! told at 3:21: The argument 'shift' of 'ishft' is 40, but must be from -32 to 32
program fault
  print *, ishft(1, 40)
end program
