! told at 5:14: Integer division by zero
program fault
  integer :: a(3) = 1, n
  n = 0
  print *, a(3 / n)
end program
