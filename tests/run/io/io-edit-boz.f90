! The edit descriptors B, O and Z with integers, reals and logicals.
program edit_boz
  use iso_fortran_env
  character(60) :: u
  integer(int8) :: a = -1_int8
  integer(int64) :: d = -2_int64
  integer :: i, k
  real :: x
  real(8) :: y
  print '(b8,b10,b0,1x,b10.9,b4)', a, a, a, a, a
  print '(o3,o5,o0,1x,o6.4,o2)', a, a, a, a, a
  print '(z2,z4,z0,1x,z5.3,z1)', a, a, a, a, a
  print '(z16,1x,o22,1x,b0)', d, d, d
  print '(z8,z10.8,z0.0,"|")', 0, 255, 0
  print '(z8.8,1x,z16.16,1x,b32.32)', 1.0, -1d0, 0.5
  print '(z2,1x,z0)', .true., .false.
  u = '1f  -7 101'
  read (u, '(z4,o3,b4)', iostat=i) k
  print *, i, k
  u = '1f  17 101'
  read (u, '(z4,o3,b4)', iostat=i) k
  print *, i, k
  u = '3F800000 400921fb54442d18'
  read (u, '(z8,z17)') x, y
  print *, x, y
  u = '12 8'
  read (u, '(b2)', iostat=i) k
  print *, i > 0
  u = ' 777'
  read (u, '(bz,o5)') k
  print *, k
  u = 'zz'
  read (u, '(z2)', iostat=i) k
  print *, i > 0
end program
