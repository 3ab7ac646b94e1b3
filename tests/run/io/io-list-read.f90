! List-directed input: repeats, nulls, slashes, strings, several lines, separators, types.
program list_read
  integer :: i, j, k, v(8), s
  real :: x, y
  character(10) :: c, d
  logical :: l, m
  complex :: z
  open (84, status='scratch')
  write (84, '(a)') '1, 2 3', '3*7,2*,9', "'two words' plain", '"a ""q""" x/y', ' T .false.', '(1.5,-2)', &
    '1.5e3 -.25d-1', '4 /', '5', ', ,6', "'spans", "lines'", '1;2', '007 +8', '2*''ab''', '1 2 3 4', '8'
  rewind 84
  read (84, *) i, j, k
  print *, i, j, k
  v = -1
  read (84, *) v(1:6)
  print *, v(1:6)
  read (84, *) c, d
  print *, c, d
  read (84, *) c, d
  print *, c, d
  read (84, *) l, m
  print *, l, m
  read (84, *) z
  print *, z
  read (84, *) x, y
  print *, x, y
  i = 0; j = 0
  read (84, *) i, j
  print *, i, j
  read (84, *) k
  print *, k
  i = 11; j = 12
  read (84, *) i, j, k
  print *, i, j, k
  read (84, *) c
  print *, c
  read (84, *, iostat=s) i
  print *, s /= 0
  read (84, *) i, j
  print *, i, j
  read (84, *) c, d
  print *, c, d
  read (84, *) i
  read (84, *) j
  print *, i, j
  read (84, *, iostat=s) j
  print *, s < 0
end program
