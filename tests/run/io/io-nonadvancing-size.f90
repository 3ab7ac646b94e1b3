! Non-advancing input: characters until the end of each record, EOR, SIZE, then the rest of the file.
program io_nonadvancing_size
  implicit none
  character(4) :: c
  integer :: n, stat
  open (10, status='scratch')
  write (10, '(a)') 'abcdefghij', '', 'xyz'
  rewind 10
  do
    read (10, '(a)', advance='no', size=n, iostat=stat) c
    if (is_iostat_end(stat)) exit
    print '(3a,i3,l2)', '[', c, ']', n, is_iostat_eor(stat)
  end do
  rewind 10
  read (10, '(a3)', advance='no') c
  read (10, '(a2)') c
  print *, c
  read (10, '(a)', advance='no', eor=20) c
  print *, 'not here'
20 read (10, '(2x,a)') c
  print *, c
  close (10)
end program
