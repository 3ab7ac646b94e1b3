! told at 3:10: The argument 'n' of 's' is changed, but what is passed is not a variable
program fault
  call s(3)
end program
