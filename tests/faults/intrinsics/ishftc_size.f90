! told at 5:25: The argument 'size' of 'ishftc' is 40, but must be from 1 to 32
program fault
  integer :: n
  n = 40
  print *, ishftc(7, 1, n)
end program
