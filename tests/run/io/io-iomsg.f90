! IOSTAT= and IOMSG=: the texts, and that they stay when nothing is wrong.
program messages
  use iso_fortran_env, only: iostat_end, iostat_eor
  integer :: s, i
  real :: x
  logical :: l
  character(80) :: m, t
  m = 'unchanged'
  write (t, '(i3)', iostat=s, iomsg=m) 1
  print *, s, trim(m)
  t = 'abc'
  read (t, '(i3)', iostat=s, iomsg=m) i
  print *, s, trim(m)
  read (t, '(f3.0)', iostat=s, iomsg=m) x
  print *, s, trim(m)
  read (t, '(l3)', iostat=s, iomsg=m) l
  print *, s, trim(m)
  read (t, *, iostat=s, iomsg=m) i
  print *, s, trim(m)
  read (t, *, iostat=s, iomsg=m) x
  print *, s, trim(m)
  read (t, *, iostat=s, iomsg=m) l
  print *, s, trim(m)
  t = ''
  read (t, *, iostat=s, iomsg=m) i
  print *, s == iostat_end, trim(m)
  t = '99999999999'
  read (t, *, iostat=s, iomsg=m) i
  print *, s, trim(m)
  read (t, '(i11)', iostat=s, iomsg=m) i
  print *, s, trim(m)
  t = '(i3'
  write (m, t, iostat=s, iomsg=m(5:)) 1
  print *, s > 0
  t = '(i3,q5)'
  write (*, t, iostat=s, iomsg=m) 1
  print *, s, trim(m)
  write (*, '(i3)', iostat=s, iomsg=m) 1.5
  print *, s, trim(m)
  open (60, status='scratch')
  write (60, '(a)') 'x'
  rewind 60
  read (60, '(a)', advance='no', iostat=s, iomsg=m) t(1:1), t(2:2)
  print *, s == iostat_eor, trim(m)
  write (t(1:2), '(i5)', iostat=s, iomsg=m) 12345
  print *, s, trim(m)
  open (60, file='gone.txt', status='old', iostat=s, iomsg=m)
  print *, s, trim(m)
  read (61, *, iostat=s, iomsg=m) i
  print *, s, trim(m)
  close (61, status='delete', iostat=s)
end program
