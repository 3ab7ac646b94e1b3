! told at 7:3: Cannot read from file opened for WRITE
program fault
  integer :: n
  open (12, file='w.dat', action='write', status='replace')
  write (12, *) 1
  rewind 12
  read (12, *) n
  print *, n
end program
