! told at 4:12, where k = 4: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3), f, k
  f(k) = a(k)
  a = 1
  print *, f(4)
end program
