! Unformatted records: read in part, read too far, empty, of mixed types.
program lengths
  implicit none
  integer :: a, b, c, s, k
  real(8) :: x
  character(5) :: t
  complex :: z
  logical(1) :: l
  integer(2) :: h(3)
  open (10, status='scratch', form='unformatted')
  write (10) 1, 2, 3
  write (10)
  write (10) 4.5d0, 'hello', (1.0, -1.0), .true._1, 7_2, 8_2, 9_2
  write (10) (k, k * k, k = 1, 4)
  rewind (10)
  read (10) a
  read (10) 
  read (10) x, t, z, l, h
  print *, x, t, z, l, h
  read (10) a, b
  print *, a, b
  read (10, iostat=s) a
  print *, s < 0
  rewind (10)
  read (10, iostat=s) a, b, c, k
  print *, s > 0
  read (10, iostat=s) a
  print *, s > 0
  read (10) x
  print *, x
  read (10) (a, b, k = 1, 4)
  print *, a, b
  rewind (10)
  read (10) a
  write (10) 99
  read (10, iostat=s) a
  print *, s < 0
  rewind (10)
  read (10) a, b, c
  read (10) k
  print *, a, b, c, k
  close (10)
end program
