! The edit descriptor A: shorter and longer fields, both ways, kinds of data that are not characters.
program edit_a
  character(60) :: u
  character(6) :: s, t(3)
  character(20) :: line = 'abcdefghijklmnopqrst'
  integer :: i
  real :: x
  s = 'abcdef'
  print '(a,a6,a3,a9,a1)', s, s, s, s, s
  print '(3a)', 'x', s // 'y', ''
  
  read (line, '(a3)') s
  print '(a,"|")', s
  read (line, '(a10)') s
  print '(a,"|")', s
  read (line, '(3a6)') t
  print '(3(a,"|"))', t
  read (line, '(a)') s
  print '(a,"|")', s
  read (line, '(20x,a)') s
  print '(a,"|")', s
  u = 'wxyz'
  read (u, '(a4)') i
  print '(a4,a2,a6)', i, i, i
  u = 'ABCD'
  read (u, '(a4)') x
  print '(a4)', x
end program
