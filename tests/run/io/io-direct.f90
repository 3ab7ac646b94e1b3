! Direct access: formatted and unformatted, REC=, records that are not there, NEXTREC=, short and long records.
program directs
  integer :: i, s, n
  character(8) :: t
  real :: x(3)
  open (82, status='scratch', access='direct', recl=8, form='formatted')
  write (82, '(a)', rec=2) 'second'
  write (82, '(i8)', rec=1) 77
  write (82, '(a8,/,a8)', rec=4) 'four', 'five'
  inquire (82, nextrec=n)
  print *, n
  read (82, '(a)', rec=2) t
  print *, t, '|'
  read (82, '(i8)', rec=1) i
  print *, i
  read (82, '(a)', rec=5) t
  print *, t
  read (82, '(a)', rec=9, iostat=s) t
  print *, s /= 0
  write (82, '(a)', rec=1, iostat=s) 'more than eight'
  print *, s /= 0
  close (82)
  open (82, status='scratch', access='direct', recl=12)
  do i = 5, 1, -1
    write (82, rec=i) real(i), i * 2.0, i * 3.0
  end do
  read (82, rec=3) x
  print *, x
  read (82, rec=5) x(1)
  print *, x(1)
  write (82, rec=6, iostat=s) x, x
  print *, s /= 0
  read (82, rec=0, iostat=s) x
  print *, s /= 0
end program
