! told at 5:22: The argument 'shift' of 'ishftc' is 33, but must be from -32 to 32
program fault
  integer :: n
  n = 33
  print *, ishftc(1, n)
end program
