! told at 3:10: The argument 'c' of 's' has the length 8, but 3 is passed
program fault
  call s('abc')
end program
