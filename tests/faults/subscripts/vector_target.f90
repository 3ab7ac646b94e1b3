! told at 6:5: Index '0' of dimension 1 of array 'a' below lower bound of 1
program fault
  integer :: a(3) = 1, v(2)
  v = [1, 2]
  v(1) = v(2) - 2
  a(v) = 7
  print *, a
end program
