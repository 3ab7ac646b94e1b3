! IOSTAT, ERR and END on files that end or hold bad numbers.
program io_error_branches
  implicit none
  integer :: i, k, status
  open (17, status='scratch')
  write (17, '(a)') '12', 'x4', '56'
  rewind (17)
  do k = 1, 5
    read (17, *, iostat=status, err=10, end=20) i
    print *, k, i
    cycle
10  print *, k, 'error', status > 0
  end do
20 print *, k, 'end', status < 0
  rewind (17)
  read (17, '(i2)') i
  print *, i
  close (17)
end program
