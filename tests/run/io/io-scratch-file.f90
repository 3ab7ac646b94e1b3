! A scratch file: write, REWIND, read back, overwrite, read to its end.
program io_scratch_file
  implicit none
  integer :: i, n, status
  double precision :: x
  character(len=10) :: s
  open (unit=11, status='scratch')
  do i = 1, 5
    write (11, '(i3, f8.3, 1x, a)') i, i / 4.0d0, 'record'
  end do
  rewind (11)
  do
    read (11, '(i3, f8.3, 1x, a)', iostat=status) n, x, s
    if (status /= 0) exit
    print *, n, x, s
  end do
  print *, status < 0
  rewind 11
  read (11, *) n
  write (11, *) 'cut here'
  rewind 11
  n = 0
  do
    read (11, '(a)', end=20) s
    n = n + 1
  end do
20 print *, n, s
  close (11)
end program
