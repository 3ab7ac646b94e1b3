! OPEN a named file, CLOSE, OPEN it again as old, and delete it at CLOSE.
program io_named_file
  implicit none
  integer :: i, k, status
  open (21, file='trueline-test.dat', status='replace', action='write')
  write (21, *) (i * 3, i = 1, 4)
  write (21, '(a)') 'second line'
  close (21)
  open (22, file='trueline-test.dat', status='old')
  read (22, *) i, k
  print *, i, k
  close (22, status='delete')
  open (23, file='trueline-test.dat', status='old', iostat=status)
  print *, status /= 0
end program
