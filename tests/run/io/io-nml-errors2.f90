! NAMELIST input: names that are not in the group, values that do not fit, groups that are missing or not ended.
program errors
  implicit none
  integer :: i, j(4), s
  real :: x
  logical :: l
  character(6) :: c
  character(40) :: t(4)
  namelist /g/ i, j, x, l, c
  call start
  t = [character(40) :: '&g i = 1, j(2:3) = 5, 6', 'x = 2.5 l = t', "c = 'abcdefgh' /", '']
  read (t, g, iostat=s)
  print *, s, i, j, x, l, c
  call start
  t = [character(40) :: '&g i = 1, nobody = 5 /', '', '', '']
  read (t, g, iostat=s)
  print *, s > 0, i
  call start
  t = [character(40) :: '&g i = 1.5 /', '', '', '']
  read (t, g, iostat=s)
  print *, s > 0
  call start
  t = [character(40) :: '&other i = 4 /', '&g i = 7 /', '', '']
  read (t, g, iostat=s)
  print *, s, i
  call start
  t = [character(40) :: '&g j = 2*3, , 9 x = 2', 'l = .true. c = "q" /', '', '']
  read (t, g, iostat=s)
  print *, s, j, x, l, c
  call start
  t = [character(40) :: '&g j(9) = 1 /', '', '', '']
  read (t, g, iostat=s)
  print *, s > 0
  call start
  t = [character(40) :: '$g i = 3 $end', '', '', '']
  read (t, g, iostat=s)
  print *, s, i
  call start
  t = [character(40) :: '&g i = 3 ! a comment / i = 5', 'x = 4 &end', '', '']
  read (t, g, iostat=s)
  print *, s, i, x
  call start
  t = [character(40) :: '&g l = maybe /', '', '', '']
  read (t, g, iostat=s)
  print *, s > 0
  call start
  t = [character(40) :: "&g c(2:3) = 'XY' j(1:3:2) = 1 2 /", '', '', '']
  read (t, g, iostat=s)
  print *, s, c, j
  call start
  t = [character(40) :: '&g i = 1', '', '', '']
  read (t, g, iostat=s)
  print *, s /= 0, i
contains
  subroutine start
    i = 0
    j = 0
    x = 0
    l = .false.
    c = 'abcdef'
  end subroutine
end program
