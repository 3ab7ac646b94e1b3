! told at 5:24, where i = 6: Index '6' of dimension 1 of array 'v' above upper bound of 5
program fault
  integer :: i, n, v(5)
  character(40) :: line = ' 7 1 2 3 4 5 6 7'
  read (line, *) n, (v(i), i = 1, n)
  print *, v
end program
