! BACKSPACE over formatted and unformatted records, and over an endfile record.
program back
  implicit none
  integer :: k, s, a(3)
  character(10) :: text
  open (10, status='scratch')
  do k = 1, 4
    write (10, '(a,i1)') 'line', k
  end do
  backspace (10)
  write (10, '(a)') 'again'
  endfile (10)
  backspace (10)
  backspace (10)
  read (10, '(a)') text
  print *, text
  read (10, '(a)', iostat=s) text
  print *, s < 0
  backspace (10)
  backspace (10)
  backspace (10)
  read (10, '(a)') text
  print *, text
  rewind (10)
  backspace (10)
  read (10, '(a)') text
  print *, text
  close (10)
  open (11, status='scratch', form='unformatted')
  do k = 1, 4
    write (11) k, 10 * k, 100 * k
  end do
  backspace 11
  backspace 11
  read (11) a
  print *, a
  write (11) 9, 9, 9
  backspace (11)
  read (11) a
  print *, a
  read (11, iostat=s) a
  print *, s < 0
  rewind 11
  read (11)
  read (11) a(1)
  backspace 11
  read (11) a(:2)
  print *, a(:2)
  close (11)
end program
