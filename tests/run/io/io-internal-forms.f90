! Internal files: arrays of records, elements, substrings, formats of several records, end of file, own text.
program internals
  character(10) :: t, a(3)
  character(20), target :: s
  character(:), allocatable :: d
  integer :: i, k, n
  write (a, '(i3/a/f5.2)') 1, 'mid', 2.5
  print *, a
  read (a, '(i3/a3/f5.2)') i, t, x
  print *, i, t, x
  a = 'zz'
  write (a(2), '(a)') 'only'
  print *, a
  s = repeat('.', 20)
  write (s(5:10), '(i6)') 123
  print *, s
  read (s(8:10), *) i
  print *, i
  write (t, '(i4)') 5
  print *, '|', t, '|'
  d = repeat(' ', 12)
  write (d, '(a,i0)') 'len', 12
  print *, d, len(d)
  write (a(3:1:-2), '(a)') 'down', 'up'
  print *, a
end program
