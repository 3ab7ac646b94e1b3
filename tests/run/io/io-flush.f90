! FLUSH: what was written can be read by another unit.
program flushes
  integer :: i, s
  open (86, file='fl.txt', status='replace')
  write (86, *) 42
  flush 86
  flush (unit=86, iostat=s)
  inquire (file='fl.txt', size=i)
  print *, s, i > 0
  close (86, status='delete')
  flush (6)
  call flush(6)
end program
