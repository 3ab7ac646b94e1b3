! BN, BZ and BLANK=: blanks in numeric fields.
program blanks
  implicit none
  integer :: a, b, c, s
  real :: x, y
  character(12) :: t, mode
  t = '1 2 3 4 5 6 '
  read (t, '(i4,bz,i4,bn,i4)') a, b, c
  print *, a, b, c
  read (t, '(bz,i6,i6)') a, b
  print *, a, b
  read (t, '(f6.2,bz,f6.2)') x, y
  print *, x, y
  t = '    '
  read (t, '(i2,bz,i2)') a, b
  print *, a, b
  t = '1e 2  -  5'
  read (t, '(f6.0,i4)') x, a
  print *, x, a
  open (10, status='scratch', blank='zero')
  inquire (10, blank=mode)
  print *, mode
  write (10, '(a)') '1 2 '
  rewind (10)
  read (10, '(i4)') a
  rewind (10)
  read (10, '(bn,i4)') b
  print *, a, b
  close (10)
  open (10, status='scratch')
  inquire (10, blank=mode)
  print *, mode
  write (10, '(a)') '1 2 '
  rewind (10)
  read (10, '(i4)') a
  rewind (10)
  read (10, '(i4)', blank='zero') b
  print *, a, b
  t = '1 x'
  read (t, '(i3)', iostat=s) a
  print *, s > 0
end program
