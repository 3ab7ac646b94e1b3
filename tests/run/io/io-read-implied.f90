! READ with implied DO, into sections, and with bounds read in the same list.
program io_read_implied
  implicit none
  integer :: n, i, j, a(3, 3), v(5)
  character(len=40) :: s
  read (*, *) n, (v(i), i = 1, n)
  print *, n, v(1:n)
  read (*, *) ((a(i, j), j = 1, 3), i = 1, 3)
  print *, a
  read (*, *) a(2, :), v(5:1:-2)
  print *, a(2, :), v(1:5:2)
  read (*, '(a)') s
  read (s, '(3(i2, 1x))') (v(i), i = 1, 3)
  print *, s, v(1:3)
  read (*, *) (v(i), i = 1, 0)
  read (*, *) v(1)
  print *, v(1)
end program
