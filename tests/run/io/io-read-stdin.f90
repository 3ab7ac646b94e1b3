! List-directed READ from the standard input until its end.
program io_read_stdin
  implicit none
  integer :: n, i, status
  double precision :: x, total
  character(len=20) :: word
  read (*, *) n
  total = 0.0d0
  do i = 1, n
    read (*, *) word, x
    print *, word, x
    total = total + x
  end do
  print *, 'total', total
  n = 0
  do
    read (*, *, iostat=status) i
    if (status /= 0) exit
    n = n + i
  end do
  print *, 'rest', n, status < 0
end program
