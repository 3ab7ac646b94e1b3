! Direct access: records that are not there, are too long, are written in any order and read back.
program direct
  implicit none
  integer :: k, s, n, r
  character(8) :: t
  open (10, status='scratch', access='direct', form='formatted', recl=8)
  write (10, '(a)', rec=3) 'third'
  write (10, '(a)', rec=1) 'first'
  read (10, '(a)', rec=3) t
  print *, t
  read (10, '(a)', rec=1) t
  print *, t
  inquire (10, nextrec=n, recl=r)
  print *, n, r
  read (10, '(a)', rec=9, iostat=s) t
  print *, s
  read (10, '(a)', rec=0, iostat=s) t
  print *, s
  write (10, '(a)', rec=2, iostat=s) 'far too long'
  print *, s
  write (10, '(a/a)', rec=4) 'four', 'five'
  read (10, '(a)', rec=5) t
  print *, t
  write (10, '(2i4)', rec=6) 1, 2, 3, 4
  do k = 6, 7
    read (10, '(a)', rec=k) t
    print *, t
  end do
  inquire (10, nextrec=n)
  print *, n
  close (10)
  open (11, status='scratch', access='direct', recl=8)
  do k = 5, 1, -1
    write (11, rec=k) k, -k
  end do
  read (11, rec=4) k, n
  print *, k, n
  read (11, rec=3) k
  print *, k
  read (11, rec=6, iostat=s) k
  print *, s
  close (11)
end program
