! told at 8:5: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3), k
  a = 0
  k = 1
10 continue
  goto (20, 30) k
  a(k + 1) = 5
  print *, a
  stop
20 k = 2
  goto 10
30 k = 3
  goto 10
end program
