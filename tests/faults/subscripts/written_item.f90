! told at 5:23: Index '0' of dimension 1 of array 'a' below lower bound of 1
program fault
  integer :: a(3) = 1, n
  n = 0
  write (*, '(i4)') a(n)
end program
