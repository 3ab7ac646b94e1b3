! told at 5:7: Integer division by zero
program fault
  integer :: n
  n = 0
  if (12 / n > 3) print *, 'large'
end program
