! told at 5:26: Index '6' of dimension 1 of array 'v' above upper bound of 4
program fault
  integer :: v(4) = (/ 1, 2, 3, 4 /), n
  n = 6
  write (*, '(6I3)') v(2:n)
end program
