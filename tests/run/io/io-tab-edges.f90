! T, TL and TR: beyond both ends of a record, on output and input.
program tabs
  implicit none
  integer :: a, b, c
  character(20) :: t
  print '(a,tl9,a)', 'abc', 'X'
  print '(a,t8,a,t2,a)', 'abc', 'end', '-'
  print '(a,tr3,a)', 'abc', 'def'
  print '(a,tr3)', 'abc'
  print '(a,t10)', 'abc'
  print '(t5,a,tl1,a)', 'Q', 'R'
  write (t, '(t3,a,t15,a)') 'one', 'two'
  print '(3a)', '[', t, ']'
  t = '123456789'
  read (t, '(t4,i2,tl5,i1,tr2,i3)') a, b, c
  print *, a, b, c
  read (t, '(i3,tl99,i3,t8,i5)') a, b, c
  print *, a, b, c
  read (t, '(t15,i5)') a
  print *, a
  read (t, '(2x,i1,x,i1)') a, b
  print *, a, b
  print '(1x,i2,t1,a)', 42, '+'
  print '("ab",t10,"c",tl3,"d",tr1,"e")'
end program
