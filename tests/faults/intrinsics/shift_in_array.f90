! told at 5:22: The argument 'shift' of 'shiftl' is 33, but must be from 0 to 32
program fault
  integer :: n(3)
  n = [1, 33, 2]
  print *, shiftl(1, n)
end program
