! Implied DO of a list with a REAL or DOUBLE PRECISION variable (FORTRAN 77, 12.8.2.3).
program p
  implicit none
  real :: x, a(4)
  double precision :: d
  integer :: i
  write (*, '(5f6.2)') (x, x = 0.5, 2.5, 0.5)
  print '(f5.2)', x
  print '(3f8.3)', (d*2, d = 1d0, 0d0, -0.5d0)
  print '(2(i2, f5.1))', ((i, x, x = 1.0, 2.0), i = 1, 2)
  print *, 'none', (x, x = 2.0, 1.0), x
  read (*, *) (a(int(x)), x = 1.0, 4.0)
  print '(4f6.1)', a
end program
