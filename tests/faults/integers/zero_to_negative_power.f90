! told at 5:12: Integer division by zero
program fault
  integer :: n
  n = 0
  print *, n**(-1)
end program
