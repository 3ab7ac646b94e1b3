! told at 6:21: The argument 'dim' is 0, but must be from 1 to 2
program fault
  logical :: l(2, 2) = .true.
  integer :: n
  n = 0
  print *, count(l, n)
end program
