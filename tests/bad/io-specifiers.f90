! Specifiers that cannot be, or cannot stand together.
program io_specifiers
  implicit none
  integer :: i, u, v(2)
  logical :: l
  character(len=9) :: s, t(4)
  namelist /g/ i
  write (fmt='(a)') 'no unit'
  flush (iostat=i)
  write (s, *, pos=4) 5
  write (s, '(i3)', rec=4) 5
  write (s) 5
  write (3, pos=5, rec=4) 5
  write (3, *, rec=4) 5
  open (newunit=u)
  open (newunit=u, status='old')
  inquire (unit=-1, exist=l)
  write (-7, *) 5
  write (13, '(a)', advance='y') 'x'
  write (13, *, advance='no') 'x'
  read (13, '(a)', size=i) s
  read (13, rec=1, end=10) s
  read (13, id=i) s
  open (10, status='foo', access='some', form='printed', action='write only')
  open (10, recl=0)
  open (10, status='scratch', file='x')
  open (10, status='replace')
  close (10, status='scratch')
  open (10, form='unformatted', delim='none')
  write (10, '(a)', delim='quote') 'a'
  read (10, decimal='comma') i
  read (t(v), '(a)') s
  inquire (file='x', unit=10, exist=l)
  write (10, g) i
  write (10, '(a)', nml=g)
  ! Right ones:
  open (newunit=u, status='scratch', form='Formatted ', position='REWIND')
  write (u, '(a)', advance='No') 'x'
  read (u, '(a)', advance='no', size=i, eor=10) s
10 close (u, status='delete')
end program
