! BN, BZ and BLANK= with integers and reals.
program edit_blanks
  character(60) :: u
  integer :: i, j, k
  real :: x, y
  character(20) :: line = ' 1 2  3 4 5 '
  read (line, '(bn,i4,bz,i4,bn,i4)') i, j, k
  print *, i, j, k
  read (line, '(bz,f4.1,bn,f4.1)') x, y
  print *, x, y
  u = '1 e 2'
  read (u, '(bn,e5.0)') x
  print *, x
  open (11, status='scratch', blank='zero')
  write (11, '(a)') '1 2 '
  rewind 11
  read (11, '(i4)') i
  rewind 11
  read (11, '(bn,i4)') j
  rewind 11
  read (11, '(i4)', blank='null') k
  print *, i, j, k
  close (11)
  open (11, status='scratch')
  write (11, '(a)') '1 2 '
  rewind 11
  read (11, '(i4)', blank='zero') i
  print *, i
end program
