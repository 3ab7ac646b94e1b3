! Non-advancing output and input, SIZE=, end of record and end of file, PAD=.
program nonadvancing
  character(4) :: c
  character(1) :: ch
  integer :: n, s, i
  do i = 1, 3
    write (*, '(i2)', advance='no') i
  end do
  write (*, '(a)') ' done'
  write (*, '(a)', advance='no') 'abc'
  write (*, *)
  write (*, '("x",/,"y")', advance='no')
  write (*, '(a)', advance='yes') 'z'
  open (80, status='scratch')
  write (80, '(a)') 'hello', '', 'wo'
  rewind 80
  do
    read (80, '(a)', advance='no', size=n, iostat=s) c
    print *, s == 0, n, '|', c(1:n), '|'
    if (is_iostat_end(s)) exit
  end do
  rewind 80
  do
    read (80, '(a1)', advance='no', eor=10, end=20) ch
    write (*, '(a,".")', advance='no') ch
    cycle
10  print *, 'eor'
  end do
20 print *, 'end'
  close (80)
  open (80, status='scratch', pad='no')
  write (80, '(a)') 'ab'
  rewind 80
  read (80, '(a4)', iostat=s) c
  print *, s /= 0
  rewind 80
  read (80, '(a4)', pad='yes', iostat=s) c
  print *, s, c
  rewind 80
  read (80, '(a1)', advance='no') ch
  read (80, '(a1)') c
  print *, ch, c
end program
