! told at 6:20: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 0, n
  character(4) :: line = ' 7'
  n = 4
  read (line, *) a(n)
  print *, a
end program
