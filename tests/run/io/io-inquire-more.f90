! INQUIRE of sizes, positions and lengths; WAIT, ID= and PENDING=; units that cannot be; ENDFILE before anything is known.
program inquire_more
  implicit none
  character(len=20) :: text
  character(len=60) :: message
  integer :: n, code, id
  integer(8) :: long
  logical :: there, waits
  open (10, file='inquire-more.dat', access='stream', form='unformatted')
  inquire (10, size=n, stream=text)
  print *, n, text
  write (10) 1, 2, 'abc'
  inquire (10, size=n)
  print *, n
  close (10)
  inquire (file='inquire-more.dat', size=n, stream=text)
  print *, n, text
  open (10, file='inquire-more.dat')
  close (10, status='delete')
  inquire (file='inquire-more.dat', size=n, exist=there)
  print *, n, there
  open (10, status='scratch', asynchronous='yes', round='up')
  inquire (10, recl=n, asynchronous=text, round=message)
  inquire (10, recl=long)
  print *, n, long, text(1:4), message(1:10)
  write (10, *, asynchronous='yes', id=id) 'x'
  write (10, *) 'y'
  wait (10, id=id)
  inquire (10, id=id, pending=waits)
  print *, waits
  backspace 10
  inquire (10, position=text)
  print *, text
  close (10)
  n = -1
  inquire (n, exist=there, iostat=code)
  print *, there, code
  inquire (99999999999_8, exist=there, iostat=code)
  print *, there, code
  flush (77, iostat=code, iomsg=message)
  print *, code, message
  open (-3, iostat=code, iomsg=message)
  print *, code, message
  open (10, status='scratch', form='unformatted', recl=8)
  write (10, iostat=code) 1, 2
  print *, code
  write (10, iostat=code) 1, 2, 3
  print *, code
  close (10)
  endfile (11)
  rewind (11)
  read (11, end=1) n
  print *, 'no end'
1 close (11, status='delete')
  open (12, file=char(0)//'x', status='scratch', iostat=code)
  print *, code > 0
end program
