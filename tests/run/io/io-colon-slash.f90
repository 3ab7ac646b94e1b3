! Colons and slashes: where output stops, empty records, records skipped on input.
program slashes
  implicit none
  integer :: a, b, c
  print '(i2,:," more",i2,:," last")', 1
  print '(i2,:," more",i2,:," last")', 1, 2
  print '(//i2///)', 7
  print '(2/,i3,3/,i3)', 8, 9
  print '(a,/)', 'x'
  print '("only",:,"text")'
  open (10, status='scratch')
  do a = 1, 9
    write (10, '(2i3)') a, 10 * a
  end do
  rewind (10)
  read (10, '(i3//i3)') a, b
  print *, a, b
  read (10, '(/,i3,/)') a
  print *, a
  read (10, '(2i3)') a, b
  print *, a, b
  read (10, '(i3)') a, b
  print *, a, b
  rewind (10)
  read (10, '(3/)')
  read (10, *) a
  print *, a
  c = 0
end program
