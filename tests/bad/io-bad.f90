! Input and output statements with wrong specifiers and items.
program io_bad
  implicit none
  integer :: i
  logical :: l
  character(len=5) :: s
  write (*, *, foo=3) i
  write (l, *) i
  read (*, *) 5
  read (*, *) i + 1
  write (*, l) s
  open (unit=10, file=3)
  open (file='x')
  close (10, status=1)
  write (*, '(i3') i
  write (*, '(q3)') i
  read (*, *, iostat=s) i
  print *, (i, l = 1, 3)
  rewind (s)
end program
