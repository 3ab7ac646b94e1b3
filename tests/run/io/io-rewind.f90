! REWIND of files of all kinds, also of one that was only written or only opened.
program rewinds
  integer :: i, s
  real :: x
  open (42, status='scratch')
  rewind 42
  write (42, *) 1
  rewind 42
  write (42, *) 2
  rewind 42
  read (42, *) i
  print *, i
  read (42, *, iostat=s) i
  print *, s
  close (42)
  open (42, status='scratch', form='unformatted')
  write (42) 1, 2.5
  rewind (42)
  read (42) i, x
  print *, i, x
  close (42)
  open (42, status='scratch', access='stream')
  write (42) 77
  rewind 42
  read (42) i
  print *, i
end program
