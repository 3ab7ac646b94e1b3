! Stream access: POS= on input and output, INQUIRE of the position, formatted and unformatted.
program pos
  implicit none
  integer :: p, s, k
  integer(1) :: b(4)
  character(6) :: t
  open (10, status='scratch', access='stream')
  inquire (10, pos=p)
  print *, p
  write (10) 'abcdef'
  inquire (10, pos=p)
  print *, p
  write (10, pos=3) 'XY'
  inquire (10, pos=p)
  print *, p
  read (10, pos=1) t
  print *, t
  write (10, pos=10) 'end'
  read (10, pos=7) b(:3)
  print *, b(:3)
  read (10, pos=12, iostat=s) t
  print *, s < 0
  read (10, pos=2) t(1:2)
  read (10) t(3:4)
  print *, t(1:4)
  inquire (10, size=k)
  print *, k
  close (10)
  open (11, status='scratch', access='stream', form='formatted')
  write (11, '(a)') 'first', 'second'
  inquire (11, pos=p)
  print *, p
  write (11, '(a)') 'third'
  read (11, '(a)', pos=p) t
  print *, t
  read (11, '(a)', pos=1) t
  print *, t
  inquire (11, pos=p)
  print *, p
  write (11, '(a)', advance='no') 'xyz'
  inquire (11, pos=p)
  print *, p
  rewind (11)
  read (11, '(a)') t
  print *, t
  read (11, '(a2)', advance='no') t
  inquire (11, pos=p)
  print *, p
  read (11, '(a)') t
  inquire (11, pos=p)
  print *, p, t
  close (11)
end program
