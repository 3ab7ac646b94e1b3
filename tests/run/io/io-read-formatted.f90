! Formatted READ from the standard input: columns, blanks, decimal points, A and L.
program io_read_formatted
  implicit none
  integer :: i, j, k
  double precision :: x, y
  character(len=5) :: s, t
  logical :: l, m
  read (*, '(i3, i4, i2)') i, j, k
  print *, i, j, k
  read (*, '(f6.2, f6.2)') x, y
  print *, x, y
  read (*, '(a5, a3, l3, l2)') s, t, l, m
  print *, s, '|', t, '|', l, m
  read (*, '(2x, i2, t1, i2, t8, e7.1)') i, j, x
  print *, i, j, x
  read (*, '(3i2)') i, j, k
  print *, i, j, k
  read (*, '(a)') s
  print *, s, '|'
end program
