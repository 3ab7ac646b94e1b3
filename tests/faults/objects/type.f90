! told at 3:10: The argument 'k' of 's' is INTEGER(4), but REAL(4) is passed
program fault
  call s(1.5)
end program
