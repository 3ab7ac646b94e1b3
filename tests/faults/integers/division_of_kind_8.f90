! told at 6:12: Integer division by zero
program fault
  integer(8) :: a, b
  a = 3
  b = 0
  print *, a / b
end program
