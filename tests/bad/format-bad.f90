! FORMAT statements that are none.
program format_bad
  implicit none
  print 10, 1
  print 20, 1
  print 30, 1
  print 40, 1
10 format (i3,, i4)
20 format (i3
30 format (q5)
40 format ('open)
end program
