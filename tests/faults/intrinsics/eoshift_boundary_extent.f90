! told at 6:30: Incorrect extent in BOUNDARY argument of EOSHIFT intrinsic in dimension 1: is 2, should be 3
program fault
  integer :: table(3, 2) = 4, edge(2) = 0, n
  n = 2
  ! A row leaves at the right.
  table = eoshift(table, -1, edge(:n), 2)
  print *, table
end program
