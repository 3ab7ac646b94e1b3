! The edit descriptor L in output and input.
program edit_l
  logical :: l(6)
  logical(1) :: k = .true._1
  logical(8) :: m = .false._8
  character(40) :: text
  integer :: status
  print '(l1,l2,l7,l0)', .true., .false., .true., .true.
  print '(l1,l3)', k, m
  text = 'T   F .TRUE. .f  tRuly  Fxx'
  read (text, '(l2,l4,l6,l4,l7,l6)') l
  print '(6l2)', l
  read (text(3:), '(l3)', iostat=status) l(1)
  print *, status == 0, l(1)
  read (text, '(l4)', iostat=status) l(1)
  print *, status, l(1)
  text = ' x'
  read (text, '(l4)', iostat=status) l(1)
  print *, status > 0
  text = 'T,F/'
  read (text, *) l(1:3)
  print '(3l2)', l(1:3)
end program
