! told at 5:3: Expected INTEGER for item 1 in formatted transfer, got REAL
program fault
  character(6) :: form
  form = '(I5)'
  print form, 1.5
end program
