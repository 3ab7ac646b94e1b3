! DECIMAL='COMMA' and DC: output, formatted and list-directed input, separators.
program comma
  implicit none
  real :: x, y
  integer :: k
  complex :: z
  character(30) :: t
  print '(dc,f8.2,dp,f8.2)', 1.5, 2.5
  t = '1,5;2,5;3'
  read (t, *, decimal='comma') x, y, k
  print *, x, y, k
  t = '(1,5;2,5) 7'
  read (t, *, decimal='comma') z, k
  print *, z, k
  write (t, *, decimal='comma') 1.25
  print *, t
  write (*, '(3(f4.1,:,";"))', decimal='comma') 1.0, 2.0, 3.0
  open (10, status='scratch', decimal='comma')
  write (10, *) 0.5, (1.0, 2.0)
  rewind (10)
  read (10, '(a)') t
  print *, t
  rewind (10)
  read (10, *) x, z
  print *, x, z
  rewind (10)
  write (10, *, decimal='point') 0.75
  rewind (10)
  read (10, *, decimal='point') x
  print *, x
  close (10)
end program
