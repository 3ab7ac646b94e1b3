! told at 5:29, where i = 3: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 1, i, n
  n = 3
  forall (i = 1:n) a(i) = a(i + 1)
  print *, a
end program
