! Integer editing of every kind: widths, minimal digits, overflow, zero, the smallest values.
program edit
  implicit none
  integer(1) :: a = -128
  integer(2) :: b = 32767
  integer(8) :: d = -9223372036854775807_8 - 1
  integer :: k
  print '(3(i0,1x))', a, b, d
  print '(i4,i3,i5,i20,i19)', a, a, b, d, d
  print '(i5.3,i5.0,i5.5,i6.5)', 7, 0, 42, -42
  print '("[",i0.0,"][",i3.0,"][",i0.4,"]")', 0, 0, -5
  print '(sp,i4,i4.2,i0,ss,i4,s,i4)', 5, 5, 5, 5, -5
  print '(b8,b8.8,o6,o6.4,z4,z4.4,z0,b0,o0)', 5, 5, 64, 64, 255, 255, 255, 5, 8
  print '(z2,z3.2,z17,z0)', a, a, d, d
  print '(b4,o2,z1)', 255, 255, 255
  print '(3i2)', (k, k = 98, 101)
  print '(l1,l4,l7)', .true., .false., .true.
  print '(i3,tr1,i3,1x,i3)', 1, 2, 3
  print '(g0,1x,g0,1x,g5.2,1x,g0.3)', 5, -7_8, 3, 2_1
  print '(i12,es12.3,f12.3)', 12, 12.0, 12.0
end program
