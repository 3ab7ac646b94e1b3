! told at 6:14: Index '4' of dimension 1 of array 'm' above upper bound of 3
program fault
  integer :: a(4) = 1, n
  logical :: m(3) = .true.
  n = 4
  where (m(1:n)) a = 2
  print *, a
end program
