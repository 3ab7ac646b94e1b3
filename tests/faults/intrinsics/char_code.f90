! told at 5:23: The argument 'i' of 'char' is 300, but must be from 0 to 255
program fault
  integer :: n
  n = 300
  print *, ichar(char(n))
end program
