! Hollerith strings in FORMAT, with parentheses, quotes and blanks inside.
program hollerith
  implicit none
  integer :: k
  k = 5
  write (*, 10) k
10 format (6h value, 1h=, i3, 3h ' /3h ok)
  write (*, 20) k, k
20 format (4h(i2), i2, 2h)/, 1x, 1h", i2)
  write (*, 30)
30 format (5habcde/12h  two  lines)
  write (*, 40) 1, 2
40 format (2(1h<, i1, 1h>))
  write (*, '(3hx y,i2)') 3
end program
