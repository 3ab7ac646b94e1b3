! told at 5:22: The argument 'dim' is 3, but must be from 1 to 2
program fault
  integer :: a(2, 2) = 1, n
  n = 3
  print *, maxval(a, n)
end program
