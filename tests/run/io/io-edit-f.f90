! The edit descriptor F: rounding to even of halves, signs of zero, widths of 0, and what does not fit.
program edit_f
  real(8) :: v(8) = [0d0, 0.5d0, 1.5d0, 2.5d0, -0.4d0, 1234.5678d0, -99999.95d0, 1d-7]
  real :: s(3) = [0.1, 16777216.0, 3.4e38]
  integer :: i
  real(8) :: x
  x = huge(1d0)
  x = x * 10
  do i = 1, size(v)
    print '(f8.0,f8.1,f9.3,f0.2,1x,f12.6,f5.1,f3.1)', v(i), v(i), v(i), v(i), v(i), v(i), v(i)
  end do
  print '(3f12.4)', s
  print '(f50.10)', s(3)
  print '(f0.0,1x,f0.1,1x,f1.0,f2.0,f2.1)', 0.3, 0.04, 0.3, 0.3, 0.3
  print '(f6.2,f6.2)', -0.0, -0.001
  print '(f4.2,f4.1,f4.0)', 99.996, 99.96, 999.6
  print '(2pf10.3,-2pf10.5,0pf10.3)', v(6), v(6), v(6)
  print '(sp,f8.2,s,f8.2)', 1.25, 1.25
  print '(f8.2)', x
  print '(f3.0,f2.0,f9.1)', -x, x, -x
end program
