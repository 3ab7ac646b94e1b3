! The edit descriptor I: widths, minimal digits, kinds, limits, asterisks.
program edit_i
  use iso_fortran_env
  integer(int8) :: a = -127_int8 - 1_int8
  integer(int16) :: b = 32767_int16
  integer(int32) :: c = -2147483647 - 1
  integer(int64) :: d = 9223372036854775807_int64
  integer :: v(4) = [0, 7, -7, 12345]
  print '(i4,i5,i6,i11,i20)', a, a, b, c, d
  print '(i3,i2,i10,i19,i18)', a, b, c, d, d
  print '(4i0)', v
  print '(4(i0,1x))', v
  print '(4i6.3)', v
  print '(4i4.4)', v
  print '(4i6.0)', v
  print '(a,i0.0,a)', '[', 0, ']'
  print '(a,i3.0,a)', '[', 0, ']'
  print '(4(i0.6,1x))', v
  print '(sp,4i7)', v
  print '(sp,4i7.5)', v
  print '(ss,4i7)', v
  print '(4i1)', v
  print '(i5.5,i7.6)', 12345, 1
end program
