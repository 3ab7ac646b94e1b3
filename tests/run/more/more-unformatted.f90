! Unformatted records on a scratch file: mixed types, whole arrays, skipped parts.
program more_unformatted
  implicit none
  integer :: a(4), b(2), i, k
  double precision :: d
  character(len=3) :: s
  open (12, status='scratch', form='unformatted')
  write (12) (i * i, i = 1, 4), 2.5d0, 'abc'
  write (12) 77
  rewind (12)
  read (12) a, d, s
  read (12) k
  print *, a, d, s, k
  rewind (12)
  read (12) b
  read (12) k
  print *, b, k
  backspace (12)
  read (12) i
  print *, i
  read (12, iostat=i) k
  print *, i < 0
  close (12)
end program
