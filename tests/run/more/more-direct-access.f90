! A direct access scratch file: records written and read in any order.
program more_direct_access
  implicit none
  integer :: i, v(2)
  open (31, status='scratch', access='direct', recl=8, form='unformatted')
  do i = 5, 1, -1
    write (31, rec=i) i, i * i
  end do
  write (31, rec=3) -3, -9
  do i = 1, 5, 2
    read (31, rec=i) v
    print *, v
  end do
  close (31)
end program
