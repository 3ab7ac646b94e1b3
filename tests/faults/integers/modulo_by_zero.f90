! told at 5:12: Integer division by zero
program fault
  integer :: n
  n = 0
  print *, modulo(5, n)
end program
