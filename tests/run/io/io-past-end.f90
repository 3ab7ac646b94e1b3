! IOSTAT at the end of a file, and behind it: the second read is of no record at all.
program past
  implicit none
  integer :: k, s, x
  character(80) :: text
  open (10, status='scratch')
  write (10, '(i3)') 1
  rewind (10)
  do k = 1, 4
    x = -9
    read (10, '(i3)', iostat=s) x
    print '(a,i2,a,i3,a,l2)', 'read', k, ' x', x, ' end', s < 0
    if (s /= 0) print '(a,l2)', 'status', s > 0
  end do
  backspace (10)
  read (10, '(i3)', iostat=s) x
  print '(a,i6)', 'after backspace', s
  rewind (10)
  read (10, *, iostat=s) x
  print *, s, x
  close (10)
  open (11, status='scratch', form='unformatted')
  write (11) 7
  rewind (11)
  do k = 1, 4
    x = -9
    read (11, iostat=s, iomsg=text) x
    print '(a,l2,i6)', 'unformatted', s > 0, x
  end do
  close (11)
end program
