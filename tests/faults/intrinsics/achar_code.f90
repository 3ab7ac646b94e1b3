! told at 5:18: The argument 'i' of 'achar' is 300, but must be from 0 to 255
program fault
  integer :: n
  n = 300
  print *, achar(n)
end program
