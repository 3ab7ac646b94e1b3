! Stream access: POS=, holes, formatted and unformatted, INQUIRE of POS and SIZE.
program streams
  integer :: i, p, n, s
  integer(1) :: b(4)
  character(10) :: t
  character(1) :: c
  open (81, file='sm.bin', access='stream', status='replace')
  write (81) 1, 2_2, 3_1
  inquire (81, pos=p, size=n)
  print *, p, n
  write (81, pos=20) 'end'
  inquire (81, pos=p, size=n)
  print *, p, n
  read (81, pos=8) b
  print *, b
  read (81, pos=1) i
  print *, i
  write (81, pos=5) 300_2
  read (81, pos=5) b(1:2)
  print *, b(1:2)
  read (81, pos=21, iostat=s) t
  print *, s < 0
  close (81)
  open (81, file='sm.bin', access='stream', form='formatted', status='replace')
  write (81, '(a)') 'line one'
  inquire (81, pos=p)
  print *, p
  write (81, '(a)') 'two' // new_line('a') // 'three'
  write (81, '(a)', advance='no') 'tail'
  read (81, '(a)', pos=p) t
  print *, t
  read (81, '(a)') t
  print *, t
  write (81, '(a)', pos=6) 'O'
  read (81, '(a)', pos=1) t
  print *, t
  close (81, status='delete')
end program
