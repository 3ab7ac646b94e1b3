! List-directed input of each type: repeat counts, nulls, a slash, separators over lines.
program types
  implicit none
  integer :: i(6), s
  real(8) :: x(5)
  logical :: l(6)
  complex :: z(3)
  character(8) :: c(5)
  character(80) :: t
  i = -1
  read (*, *) i
  print *, i
  i = -1
  read (*, *) i
  print *, i
  x = -1
  read (*, *) x
  print *, x
  l = .false.
  read (*, *) l
  print *, l
  z = 0
  read (*, *) z
  print *, z
  c = '-'
  read (*, *) c
  print '(5a)', c
  c = '-'
  read (*, *) c
  print '(5a)', c
  i = 0
  read (*, *) i(1), t, x(1), l(1)
  print *, i(1), trim(t), x(1), l(1)
  t = '1 2 x'
  read (t, *, iostat=s) i(1:3)
  print *, s > 0, i(1:2)
  t = '3*7 2*'
  i = -1
  read (t, *) i(1:5)
  print *, i(1:5)
  t = '1,,3,/ 5'
  i = -1
  read (t, *) i
  print *, i
  t = '2*(1,2)'
  read (t, *) z(1:2)
  print *, z(1:2)
  t = 't f .true. .FALSE. Tx Fx'
  read (t, *) l
  print *, l
end program
