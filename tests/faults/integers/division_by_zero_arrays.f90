! told at 4:7: Integer division by zero
program fault
  integer :: a(3) = [2, 1, 0], b(3)
  b = 5/a
  print *, b
end program
