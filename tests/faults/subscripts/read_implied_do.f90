! told at 6:21, where i = 4: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3), i, n
  character(len=8) :: text = '1 2 3 4'
  n = 4
  read (text, *) (a(i), i=1, n)
  print *, a
end program
