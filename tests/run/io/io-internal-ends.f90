! Internal files: arrays as records, their ends, and lengths that do not fit.
program ends
  implicit none
  character(6) :: rec(3), short
  integer :: a, b, c, s
  rec = 'xxxxxx'
  write (rec, '(i3/i4)') 12, 345
  print '(3(a,a,a))', ('[', rec(a), ']', a = 1, 3)
  write (rec, '(2i3)', iostat=s) 1, 2, 3, 4, 5, 6
  print *, s
  print '(3(a,a,a))', ('[', rec(a), ']', a = 1, 3)
  write (rec, '(2i3)', iostat=s) 1, 2, 3, 4, 5, 6, 7
  print *, s
  write (rec, '(2i3)') 1, 2, 3, 4, 5, 6
  read (rec, '(i3)', iostat=s) a, b, c
  print *, s, a, b, c
  read (rec, *, iostat=s) a, b, c
  print *, s, a, b, c
  write (short, '(i8)', iostat=s) 5
  print *, s
  write (short, '(a,t3,a)', iostat=s) 'abcdef', 'Z'
  print *, s, short
  read (short, '(i9)', iostat=s) a
  print *, s > 0
  short = '  42'
  read (short, '(i9)', iostat=s) a
  print *, s, a
  short = ' '
  read (short, *, iostat=s) a
  print *, s
  read (short, '(i6)', iostat=s) a
  print *, s, a
  write (rec(2:3), '(a/a)') 'two', 'three'
  print *, rec
  write (short(2:4), '(i3.3)') 7
  print *, short
end program
