! Reversion goes back to the last group of the outermost level, with its repeat count.
program groups
  implicit none
  integer :: k
  print '(i2,2(i3,","),i4)', (k, k = 1, 11)
  print '("a",2("b",i2),("c",i3))', (k, k = 1, 7)
  print '(i2,(i3,2(i4,1x)))', (k, k = 1, 9)
  print '(2(2(i2,"-"),"/"))', (k, k = 1, 10)
  print '(i2,2(i3)/,"end")', (k, k = 1, 5)
  print '(1p,e10.2,(e10.3),i3)', 1.0, 2.0, 3, 4.0, 5
  print '(3(i2,:,", "))', (k, k = 1, 5)
  print '(a,3(/,2i4))', 'x', (k, k = 1, 8)
  print '(2(a,(a,a)))', ('p', k = 1, 9)
end program
