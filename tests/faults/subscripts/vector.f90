! told at 7:9: Index '7' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 1, v(2), b(2)
  v = [1, 2]
  read (*, *, end=1) v
  1 v(2) = v(2) + 5
  b = a(v)
  print *, b
end program
