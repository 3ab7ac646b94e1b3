! Input and output of mapped arrays: list, formats, unformatted, NAMELIST, internal files, IOSTAT, INQUIRE.
program files
  integer, parameter :: n = 7
  integer :: a(n), b(n), i, status, k, length
  real :: r(3)
  character(40) :: text
  logical :: there, open
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ DISTRIBUTE b(CYCLIC)
  namelist /group/ b, k, r
  do i = 1, n
    a(i) = i * i
  end do
  open (10, status='scratch', form='formatted')
  write (10, '(7i5)') a
  write (10, *) (a(i), i = n, 1, -1)
  write (10, *) 'no number'
  rewind (10)
  read (10, '(7i5)') b
  print *, b
  read (10, *) k, (b(i), i = 1, k - 43)
  print *, k, b
  read (10, *, iostat=status) b(2)
  print *, status > 0, b(2)
  read (10, *, iostat=status, end=20) i
  print *, 'not here'
20 print *, 'end', status < 0
  close (10)
  open (11, status='scratch', form='unformatted')
  write (11) a(2:6:2), b
  rewind (11)
  read (11) a(1:3), a(7)
  print *, a
  inquire (iolength=length) a
  inquire (11, exist=there, opened=open)
  print *, length, there, open
  close (11)
  write (text, '(3i6)') a(1:3)
  read (text, *) b(5), b(1), b(3)
  print *, trim(text), b
  k = 4
  r = 0
  open (12, status='scratch')
  write (12, *) '&group b(2) = 77, b(6:7) = 8, 9, r = 1.5, 2.5 /'
  rewind (12)
  read (12, group)
  do i = 1, n
    a(i) = b(i) + k
  end do
  write (*, group)
  print *, a
  do i = 1, n
    if (mod(i, 2) == 0) write (*, '(a,i0)', advance='no') ' ', a(i)
  end do
  print *
end program
