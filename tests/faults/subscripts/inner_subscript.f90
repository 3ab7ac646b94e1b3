! told at 5:16: Index '4' of dimension 1 of array 'k' above upper bound of 3
program fault
  integer :: a(4) = 1, k(3) = [1, 2, 3], n
  n = 4
  print *, a(k(n))
end program
