! ENDFILE after a read in the middle of a file cuts off the rest.
program middle
  implicit none
  integer :: k, s, x, n
  open (10, status='scratch')
  do k = 1, 5
    write (10, '(i3)') k
  end do
  rewind (10)
  read (10, '(i3)') x
  read (10, '(i3)') x
  endfile (10)
  rewind (10)
  n = 0
  do
    read (10, '(i3)', iostat=s) x
    if (s /= 0) exit
    n = n + 1
    print *, n, x
  end do
  backspace (10)
  backspace (10)
  read (10, '(i3)') x
  print *, 'last', x
  close (10)
  open (12, status='scratch', form='unformatted')
  do k = 1, 5
    write (12) k, k * k
  end do
  rewind (12)
  read (12) x
  endfile 12
  rewind (12)
  n = 0
  do
    read (12, iostat=s) x, k
    if (s /= 0) exit
    n = n + 1
    print *, n, x, k
  end do
  close (12)
end program
