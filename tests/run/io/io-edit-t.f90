! T, TL, TR and X: back over what is written, beyond the left end, and over what was read.
program edit_t
  character(60) :: u
  character(12) :: a, b
  character(30) :: line
  integer :: i, j, k
  print '("abcdef",t3,"XY")'
  print '("abcdef",tl2,"Z",tr3,"end")'
  print '("ab",tl9,"Q",t10,"r",t1,"s")'
  print '(5x,"five",3x)'
  print '("tail",10x)'
  print '("a",t20,"b",t5,"c",tr2,"d")'
  print '(x,i2,1x,i2)', 1, 2
  write (line, '(i5,t1,i2,t9,a)') 12345, 77, 'z'
  print '(a,"|")', line
  write (line, '(t6,a,tl3,a)') 'hello', '**'
  print '(a,"|")', line
  u = '12345678'
  read (u, '(i4,t1,i2,tl1,i3)') i, j, k
  print *, i, j, k
  u = 'one two three'
  read (u, '(t5,a3,t1,a3)') a, b
  print *, trim(a), ' ', trim(b)
  u = 'abcdefghij'
  read (u, '(tr2,a2,tl4,a1,x,a2)') a, b, line
  print *, trim(a), ' ', trim(b), ' ', trim(line)
end program
