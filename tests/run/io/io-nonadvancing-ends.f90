! Non-advancing input: SIZE=, EOR= and END= together, PAD=, and what follows in the record.
program ends
  implicit none
  character(4) :: t
  integer :: n, s, k
  open (10, status='scratch')
  write (10, '(a)') 'abcdefghij', '', 'xy'
  rewind (10)
  do k = 1, 12
    t = '....'
    read (10, '(a)', advance='no', size=n, eor=20, end=30, iostat=s) t
    print '(a,i3,3a)', 'read', n, ' [', t, ']'
    cycle
20  print '(a,i3,3a,l2)', 'eor ', n, ' [', t, ']', is_iostat_eor(s)
    cycle
30  print '(a,l2)', 'end', is_iostat_end(s)
    exit
  end do
  close (10)
  open (10, status='scratch', pad='no')
  write (10, '(a)') 'abcdef', 'gh'
  rewind (10)
  t = '....'
  read (10, '(a4)', advance='no', iostat=s) t
  print *, s, t
  read (10, '(a4)', advance='no', iostat=s, size=n) t
  print *, is_iostat_eor(s)
  read (10, '(a2)') t
  print *, t
  rewind (10)
  read (10, '(a4)', advance='no') t
  read (10, '(a2)') t
  print *, t
  rewind (10)
  read (10, '(a8)', iostat=s) t
  print *, is_iostat_eor(s), s > 0
  close (10)
  write (*, '(a)', advance='no') 'one, '
  write (*, '(a,i0)', advance='no') 'two, ', 2
  write (*, '(a)') ' three'
  write (*, '(a,/,a)', advance='no') 'four', 'five'
  write (*, *)
  write (*, '(3x,a,2x)', advance='no') 'six'
  print '(a)', 'seven'
end program
