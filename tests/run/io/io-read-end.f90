! READ with END= and ERR= labels on the standard input.
program io_read_end
  implicit none
  integer :: i, n
  n = 0
10 read (5, *, end=30, err=20) i
  n = n + i
  go to 10
20 print *, 'bad record after', n
  go to 10
30 print *, 'end', n
end program
