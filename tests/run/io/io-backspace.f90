! BACKSPACE over formatted and unformatted records, at the end of the file, and after writing.
program backspaces
  integer :: i, s, a(3)
  open (40, status='scratch')
  write (40, '(i3)') 1, 2, 3
  backspace 40
  read (40, *) i
  print *, i
  read (40, *, iostat=s) i
  print *, s
  backspace (40)
  backspace (40)
  read (40, *) i
  print *, i
  backspace (unit=40, iostat=s)
  backspace 40
  write (40, '(i3)') 22
  rewind 40
  read (40, *, iostat=s) a
  print *, s, a(1:2)
  close (40)
  open (40, status='scratch', form='unformatted')
  do i = 1, 4
    write (40) (i, s = 1, i * 10)
  end do
  do i = 1, 2
    backspace 40
  end do
  read (40) a
  print *, a
  backspace 40
  backspace 40
  read (40) a
  print *, a
  backspace 40
  backspace 40
  backspace 40
  backspace 40
  read (40) a(1)
  print *, a(1)
end program
