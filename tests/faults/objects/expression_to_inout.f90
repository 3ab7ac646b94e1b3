! told at 4:10: The argument 'x' of 's' is changed, but what is passed is not a variable
program fault
  real :: y = 1
  call s(y + 1)
end program
