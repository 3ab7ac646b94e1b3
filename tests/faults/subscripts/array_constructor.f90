! told at 4:11, where i = 4: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 1, b(4), i
  b = [(a(i), i = 1, 4)]
  print *, b
end program
