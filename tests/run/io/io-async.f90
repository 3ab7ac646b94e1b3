! ASYNCHRONOUS=, ID=, WAIT, PENDING=: accepted, and done at once.
program async
  integer, asynchronous :: v(3) = [1, 2, 3]
  integer :: n, id
  logical :: p
  open (85, status='scratch', asynchronous='yes')
  write (85, *, asynchronous='yes', id=id) v
  wait (85, id=id)
  wait (85)
  inquire (85, pending=p)
  print *, p
  rewind 85
  read (85, *, asynchronous='yes') v
  wait (85, iostat=n)
  print *, n, v
  close (85)
end program
