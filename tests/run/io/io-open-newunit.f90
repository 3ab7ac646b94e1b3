! NEWUNIT=, INQUIRE by file and number, two units.
program newunit
  integer :: u, v, n, m
  logical :: there
  open (newunit=u, file='nu.txt', status='replace')
  open (newunit=v, status='scratch')
  print *, u < -1, v < -1, u /= v
  inquire (file='nu.txt', number=n, opened=there)
  print *, n == u, there
  inquire (unit=u, number=m)
  print *, m == u
  write (u, *) 5
  write (v, *) 6
  rewind u
  read (u, *) n
  print *, n
  close (u, status='delete')
  inquire (unit=u, opened=there)
  print *, there
  inquire (unit=77, opened=there, number=m)
  print *, there, m
  close (v)
  close (77)
end program
