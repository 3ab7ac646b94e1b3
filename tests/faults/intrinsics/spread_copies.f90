! told at 6:26: The argument 'dim' is 3, but must be from 1 to 2
program fault
  integer :: d
  real :: v(3) = 1
  d = 3
  print *, sum(spread(v, d, 2))
end program
