! ERR=, END=, EOR= and IOSTAT= in every combination: which branch is taken, and what the status is.
program labels
  implicit none
  integer :: s, x, n
  character(10) :: t
  open (10, status='scratch')
  write (10, '(a)') '12', 'ab'
  rewind (10)
  n = 0
1 n = n + 1
  s = 99
  read (10, '(i4)', err=2, end=3, iostat=s) x
  print *, 'fine', x, s
  goto 1
2 print *, 'err', s
  goto 1
3 print *, 'end', s, n
  rewind (10)
  read (10, *, err=4) x
  read (10, *, err=4) x
  print *, 'not here'
4 print *, 'err alone'
  rewind (10)
  read (10, '(//)', end=5)
  print *, 'not here'
5 print *, 'end alone'
  rewind (10)
  s = 99
  read (10, '(a)', advance='no', eor=6, iostat=s) t
  print *, 'not here'
6 print *, 'eor', s < 0
  read (10, '(2a)', advance='no', eor=7, err=8, end=9) t, t
8 print *, 'not here'
7 print *, 'eor again'
  read (10, '(a)', end=9) t
9 print *, 'end'
  open (11, file='/no/such/directory', status='old', err=10)
10 print *, 'open'
  t = '(q)'
  write (*, t, err=11, iostat=s) 1
11 print *, s > 0
  close (10)
  read (t, '(i5)', err=12, end=12) x
12 continue
  t = 'zz'
  read (t, '(i2)', err=13) x
  print *, 'not here'
13 print *, 'internal'
  backspace (10, err=14, iostat=s)
  rewind (10, err=14)
14 print *, 'done'
  close (10, status='delete')
end program
