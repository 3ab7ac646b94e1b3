! told at 6:3: File already opened in another unit
! flags: -std=f95
program fault
  open (10, file='two.dat', status='replace')
  write (10, *) 1
  open (11, file='two.dat')
  write (11, *) 2
  close (10, status='delete')
end program
