! told at 4:10: The argument 'x' of 's' is REAL(8), but REAL(4) is passed
program fault
  real :: y = 1
  call s(y)
end program
