! ERR=, END= and EOR= of READ, WRITE, OPEN, CLOSE, BACKSPACE, REWIND, ENDFILE, INQUIRE.
program branches
  integer :: i, n
  character(3) :: t
  open (50, file='no/such/file', status='old', err=10)
  print *, 'opened'
10 continue
  open (50, status='scratch', err=90)
  write (50, '(a)', err=90) 'abc', '12'
  rewind (50, err=90)
  read (50, *, err=20) i
  print *, 'no error'
20 print *, 'err'
  read (50, '(i2)', err=90, end=90) i
  print *, i
  read (50, *, err=90, end=30) i
  print *, 'no end'
30 print *, 'end'
  backspace (50, err=90)
  backspace (50, err=90)
  read (50, '(a)', advance='no', eor=40, size=n, end=90, err=90) t
  print *, 'no eor'
40 print *, 'eor', n
  endfile (50, err=90)
  inquire (50, number=i, err=90)
  print *, i
  close (50, err=90)
  write (50, '(i1)', err=90) 1
  close (50, status='delete', err=90)
  read (t, '(i3)', err=50) i
  print *, 'no error'
50 print *, 'internal err'
  read (t(1:0), '(i3)', end=60) i
  print *, i
  stop
60 print *, 'internal end'
  stop
90 print *, 'unexpected'
end program
