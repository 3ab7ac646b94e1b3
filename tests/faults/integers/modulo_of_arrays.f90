! told at 4:12: Integer division by zero
program fault
  integer :: a(3) = 7, b(3) = [1, 0, 2]
  print *, mod(a, b)
end program
