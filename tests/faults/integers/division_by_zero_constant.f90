! told at 3:12: Division by zero
program fault
  print *, 5/0
end program
