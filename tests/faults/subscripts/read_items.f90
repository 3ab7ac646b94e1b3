! told at 6:21, where i = 4: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  character(20) :: text = '1 2 3 4'
  integer :: a(3), i, n
  n = 4
  read (text, *) (a(i), i = 1, n)
  print *, a
end program
