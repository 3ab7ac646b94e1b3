! NAMELIST output of all types, with DELIM=, and to an internal file; what is written is read back.
program nml_write
  integer :: i = 42, v(3) = [1, 1, 2]
  integer(8) :: big = 1234567890123_8
  real :: x = 1.5, w(4) = [0.0, 0.0, 1e10, -2.5]
  real(8) :: d = 1d-100
  logical :: l(2) = [.true., .false.]
  character(6) :: s = 'a''b"c', t(2) = ['one', 'two']
  complex :: z = (1.0, -1.0)
  type point
    integer :: k
    real :: p(2)
  end type
  type(point) :: q = point(5, [1.0, 2.0])
  namelist /group/ i, v, big, x, w, d, l, s, t, z, q
  character(200) :: text(30)
  write (*, group)
  write (*, group, delim='apostrophe')
  write (*, nml=group, delim='quote')
  open (71, status='scratch', delim='quote')
  write (71, group)
  i = 0; v = 0; s = ''; w = 0; z = 0; q%p = 0
  rewind 71
  read (71, group)
  print *, i, v, s, w, z, q
  write (text, group)
  print '(a)', (trim(text(i)), i = 1, 5)
end program
