! Where a format begins again when its end is reached with items left.
program reversion
  integer :: i
  integer :: v(7) = [1, 2, 3, 4, 5, 6, 7]
  print '(i3)', v
  print '(2i3)', v
  print '("a",2(i3),"b")', v
  print '("h",(i3,1x,i3),"t")', v
  print '(i2,2(i3,(i4)),i5)', v
  print '((i2),i3)', v
  print '(3(i2,","),/,"x",(i4))', v
  print '(sp,i3,(i4))', v
  print '(1p,e10.2,(f6.1))', 1.0, 2.0, 3.0
  print '("only text",(i3))'
  open (10, status='scratch')
  write (10, '(3i4)') v
  rewind 10
  read (10, '(2i4,(i4))') v(1:4)
  print *, v(1:4)
  read (10, '(i4)', iostat=i) v(1), v(2)
  print *, i < 0, v(1)
end program
