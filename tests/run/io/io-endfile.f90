! ENDFILE cuts the file; reading and writing after it.
program endfiles
  integer :: i, s
  open (41, status='scratch')
  write (41, '(i3)') 1, 2, 3
  rewind 41
  write (41, '(i3)') 7
  endfile 41
  rewind 41
  do
    read (41, *, iostat=s) i
    if (s /= 0) exit
    print *, i
  end do
  print *, s
  rewind (41, iostat=s)
  read (41, *, end=10) i
  print *, i
  read (41, *, end=10) i
10 print *, 'end'
end program
