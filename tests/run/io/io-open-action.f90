! ACTION= of OPEN: what it forbids.
program open_action
  integer :: s, v
  character(10) :: word
  open (21, file='ac.txt', action='write', status='replace')
  write (21, *) 5
  read (21, *, iostat=s) v
  print *, s /= 0
  inquire (21, action=word)
  print *, word
  inquire (21, read=word)
  print *, word
  inquire (21, write=word)
  print *, word
  close (21)
  open (21, file='ac.txt', action='read')
  read (21, *) v
  write (21, *, iostat=s) v
  print *, s /= 0, v
  inquire (21, readwrite=word)
  print *, word
  close (21)
  open (21, file='ac.txt', action='readwrite', position='append')
  write (21, *) 6
  rewind 21
  read (21, *) v, s
  print *, v, s
  inquire (21, action=word)
  print *, word
  close (21, status='delete')
end program
