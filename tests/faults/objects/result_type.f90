! told at 4:12: 'f' is declared as REAL(4) here, but is a function of REAL(8)
program fault
  real, external :: f
  print *, f(1)
end program
