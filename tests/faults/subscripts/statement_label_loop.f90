! told at 6:5: Index '11' of dimension 1 of array 'a' above upper bound of 10
program fault
  integer :: a(10), i
  i = 0
10 i = i + 1
  a(i) = i
  if (i .le. 10) goto 10
  print *, a(1)
end program
