! EQUIVALENCE: one array is set by the name of another.
program right
  integer :: a(4), b(2, 2), c
  equivalence (a, b), (c, a(4))
  a = (/ 1, 2, 3, 4 /)
  c = 9
  print *, b, b(2, 2)
end program
