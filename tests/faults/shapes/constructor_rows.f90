! told at 5:3: Array bound mismatch for dimension 1 of array 'a' (3/4)
program fault
  integer :: n, i, a(3)
  n = 4
  a = [(i, i = 1, n)]
  print *, a
end program
