! told at 5:19: Index '7' of dimension 2 of array 'a' above upper bound of 3
program fault
  integer :: a(3, 3) = 1, v(2)
  v = [1, 7]
  print *, a(1:2, v)
end program
