! OPEN that cannot be done: IOSTAT=, ERR= and what is open afterwards.
program errors
  implicit none
  integer :: s, n
  logical :: o
  character(60) :: m
  open (10, file='there.txt', status='new', iostat=s)
  print *, s
  open (11, file='there.txt', iostat=s)
  print *, s > 0
  inquire (11, opened=o)
  print *, o
  close (10)
  open (10, file='there.txt', status='new', iostat=s)
  print *, s > 0
  open (10, file='nowhere.txt', status='old', iostat=s)
  print *, s > 0
  open (10, file='nowhere.txt', status='old', err=10)
  print *, 'not here'
10 print *, 'err'
  open (10, file='no/such/dir.txt', iostat=s)
  print *, s > 0
  open (10, file='there.txt', access='direct', iostat=s)
  print *, s > 0
  open (10, file='there.txt', access='nonsense', iostat=s, iomsg=m)
  print *, s > 0
  print *, trim(m)
  open (10, file='there.txt', status='nonsense', iostat=s, iomsg=m)
  print *, s > 0
  open (10, file='there.txt', form='nonsense', iostat=s)
  print *, s > 0
  open (10, file='there.txt', action='nonsense', iostat=s)
  print *, s > 0
  open (10, file='there.txt', recl=0, iostat=s)
  print *, s > 0
  open (10, file='there.txt', status='scratch', iostat=s)
  print *, s > 0
  open (-7, file='there.txt', iostat=s)
  print *, s > 0
  open (10, file='there.txt', action='read', position='append', iostat=s)
  print *, s
  write (10, *, iostat=s) 1
  print *, s > 0
  open (10, file='there.txt', form='unformatted', iostat=s)
  print *, s > 0
  open (10, file='there.txt', blank='zero', iostat=s)
  print *, s
  inquire (file='there.txt', number=n, opened=o)
  print *, n, o
  close (10, status='nonsense', iostat=s)
  print *, s > 0
  close (10, status='delete', iostat=s)
  inquire (file='there.txt', exist=o)
  print *, o
  close (55, iostat=s)
  print *, s
end program
