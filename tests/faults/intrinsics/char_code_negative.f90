! told at 5:17: The argument 'i' of 'char' is -1, but must be from 0 to 255
program fault
  integer :: n
  n = -1
  print *, char(n)
end program
