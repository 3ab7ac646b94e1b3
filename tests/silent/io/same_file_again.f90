! One file after the other on two units, and one file twice on the same unit.
program right
  integer :: k, e
  open (10, file='again.dat', status='replace')
  write (10, *) 7
  close (10)
  open (11, file='again.dat', status='old')
  read (11, *) k
  open (11, file='again.dat')
  rewind 11
  read (11, *) k
  close (11, status='delete')
  open (12, status='scratch')
  open (13, status='scratch')
  write (12, *) k
  rewind 12
  read (12, *, iostat=e) k
  print *, k, e
end program
