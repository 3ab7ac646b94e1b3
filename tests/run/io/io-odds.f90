! Records that end with a carriage return, directories, SIGN='PLUS' in lists, conflicts in OPEN, AND of logical values.
program odds
  implicit none
  integer :: i, ios, packed(3), k
  real :: y
  character(len=40) :: t
  character(len=60) :: msg
  character :: c
  logical(1) :: l1 = .true.
  logical :: l = .false.
  namelist /g/ i
  open (10, file='odds.tmp', access='stream', form='unformatted')
  write (10) 'one' // char(13) // 'two' // char(13) // char(10) // char(13) // 'last'
  close (10)
  open (10, file='odds.tmp')
  do
    read (10, '(a)', iostat=ios) t
    if (ios /= 0) exit
    print *, '[', trim(t), ']'
  end do
  close (10, status='delete')
  print *, and(.true., l), or(l, .true.), xor(l1, .true._1), kind(or(l1, l1)), and(12, 10)
  open (10, file='odds.tmp', access='append', position='asis', iostat=ios, iomsg=msg)
  print *, ios > 0, trim(msg)
  i = 789
  open (10, status='scratch', sign='plus')
  write (10, *) i, -i, 7_1
  write (10, nml=g)
  rewind 10
  do k = 1, 4
    read (10, '(a)') t
    print *, trim(t)
  end do
  close (10)
  call execute_command_line('mkdir odds.dir')
  open (10, file='odds.dir', action='read', access='stream', iostat=ios)
  print *, ios
  read (10, iostat=ios) c
  print *, ios
  close (10)
  call execute_command_line('rmdir odds.dir')
  open (10, file='.', iostat=ios)
  print *, ios > 0
  print *, access('odds.tmp', 'R') /= 0, access('.', 'RWX')
end program
