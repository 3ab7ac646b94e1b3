! Long list-directed records are not broken, since the output has no record length.
program io_list_long
  implicit none
  integer :: i
  double precision :: d(7)
  character(len=50) :: s
  print *, (i, i = 1, 20)
  d = 1.0d0 / 3.0d0
  print *, d
  print *, (0.5, i = 1, 9)
  print *, (mod(i, 3) == 0, i = 1, 45)
  s = 'a string of fifty characters, blank at its end'
  print *, s, s
  print *, (cmplx(i, -i), i = 1, 4)
  write (*, *) 'sum', 1, 2.0d0, 'and a longer text to reach the end of the line', 3, 4.0d0
end program
