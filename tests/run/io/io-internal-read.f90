! READ from internal units, list-directed and formatted.
program io_internal_read
  implicit none
  character(len=30) :: s, lines(3)
  integer :: i, j, k, status
  double precision :: x
  logical :: l
  s = ' 12  -7 3.5e2 T'
  read (s, *) i, j, x, l
  print *, i, j, x, l
  read (s, '(i3, i5, f6.0)') i, j, x
  print *, i, j, x
  lines = (/ '1 2 3', '4 5 6', '7 8 9' /)
  read (lines, *) i, j, k, x
  print *, i, j, k, x
  s = 'abc'
  read (s, *, iostat=status) i
  print *, status > 0
  s = ''
  read (s, *, iostat=status) i
  print *, status < 0
  s = '1,,3 /5'
  i = 10
  j = 20
  k = 30
  read (s, *) i, j, k, x
  print *, i, j, k
end program
