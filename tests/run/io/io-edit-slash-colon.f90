! Slash and colon, in output and input.
program edit_slash
  integer :: i, j, k
  character(5) :: s(3)
  print '("a",/,"b",//,"c")'
  print '(3/,"after three")'
  print '(i2,:,",",i2,:,",",i2)', 1, 2
  print '(2(i2,:," and"),/)', 1, 2
  print '(i3/i3)', 1, 2, 3
  print '(/)'
  print '(a,/,:,a)', 'only'
  open (10, status='scratch')
  write (10, '(i3,/,i3,//,i3)') 1, 2, 3
  rewind 10
  read (10, '(i3,/,i3,//,i3)') i, j, k
  print *, i, j, k
  rewind 10
  read (10, '(2/,a,/,a)', iostat=i) s(1), s(2)
  print *, i, '[', s(1), '][', s(2), ']'
  rewind 10
  read (10, *) i, j, k
  print *, i, j, k
end program
