! NAMELIST input in all forms: order, repeats, nulls, sections, elements, comments, several groups.
program nml_forms
  integer :: i = 1, v(6) = [1, 2, 3, 4, 5, 6], m(2, 3) = 0
  real :: x = 1.5
  logical :: l = .false.
  character(8) :: s = 'old', t(2) = ['a', 'b']
  complex :: z = (0.0, 0.0)
  namelist /one/ i, v, x, l, s, t, z, m
  namelist /two/ i, s
  integer :: u = 70, k
  open (u, status='scratch')
  write (u, '(a)') ' &one', ' x = 2.5e1, i=7 ! a comment', ' v(2:4) = 3*9', ' v(6)=-1, l = T', &
    " s='it''s' t(2)=""q""", ' z=(1.0,', '  -2) /', '&two i=3 /', ' other line', '$one m=1,2,,4,2*5 $end', &
    '&one v=,,33,2*,66 /', "&two s = 'long text here' i=8/", '&one t=''x'',', "'y' l=.true. i=2*5 /"
  rewind u
  read (u, one)
  call show
  read (u, nml=two)
  call show
  read (u, one)
  call show
  read (u, one)
  call show
  read (u, two)
  call show
  read (u, one, iostat=k)
  print *, k /= 0
  rewind u
  read (u, two)
  print *, i, s
contains
  subroutine show
    print '(i3,6i4,f8.2,l2,4a,2f6.1,6i3)', i, v, x, l, '|', s, t, z, m
  end subroutine
end program
