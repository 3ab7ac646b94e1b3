! told at 4:5: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3)
  a(4) = 1
  print *, a
end program
