! told at 6:9: Index '0' of dimension 1 of array 'l' below lower bound of 1
program fault
  logical :: l(2) = .true.
  integer :: n
  n = 0
  if (l(n)) print *, 'yes'
end program
