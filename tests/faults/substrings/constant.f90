! told at 4:12: The substring (2:5) is outside of the string
program fault
  character(len=4) :: s = 'abcd'
  print *, s(2:5)
end program
