! Shifts by the width, and of nothing.
program right
  integer :: k, i
  k = 32
  i = -1
  print *, ishft(i, k), ishft(i, -k), ishft(i, 0), ishftc(5, 32), ibits(i, 31, 1), ibits(i, 32, 0)
  print *, repeat('x', 0), btest(i, 31)
end program
