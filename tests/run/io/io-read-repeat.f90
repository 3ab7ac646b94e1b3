! List-directed input: repeat counts, nulls, slash, over several lines.
program io_read_repeat
  implicit none
  integer :: v(6)
  double precision :: x(4)
  complex :: z
  logical :: l(3)
  character(len=6) :: s(2)
  v = -1
  x = 9.0d0
  read (*, *) v
  print *, v
  read (*, *) x
  print *, x
  read (*, *) z, l
  print *, z, l
  read (*, *) s
  print *, s
  v = 0
  read (*, *) v(1:3), v(5)
  print *, v
end program
