! told at 5:3: Array bound mismatch for dimension 1 of array 'a' (3/2)
program fault
  integer :: a(5) = 0, b(5) = 1, n
  n = 2
  a(1:n+1) = b(1:n)
  print *, a
end program
