! POSITION= of OPEN, and OPEN of a unit that is open.
program open_position
  integer :: s, i, v(3)
  character(10) :: word
  open (22, file='po.txt', status='replace')
  write (22, '(i3)') 1, 2
  close (22)
  open (22, file='po.txt', position='append')
  inquire (22, position=word)
  print *, word
  write (22, '(i3)') 3
  close (22)
  open (22, file='po.txt', position='rewind')
  inquire (22, position=word)
  print *, word
  read (22, *) v
  print *, v
  rewind 22
  read (22, *) i
  ! The same file again: the position stays.
  open (22, file='po.txt', blank='zero')
  inquire (22, blank=word)
  print *, word
  read (22, '(i3)') i
  print *, i
  close (22)
  open (22, file='po.txt', position='asis')
  read (22, *) i
  print *, i
  ! Another file: the first is closed.
  open (22, file='po2.txt', status='replace')
  write (22, *) 9
  close (22, status='delete')
  open (22, file='po.txt', status='old', iostat=s)
  print *, s
  close (22, status='delete')
end program
