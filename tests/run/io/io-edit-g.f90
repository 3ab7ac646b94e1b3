! The edit descriptor G with all types, with and without digits.
program edit_g
  real(8) :: v(9) = [0d0, 0.09999d0, 0.1d0, 0.99996d0, 1d0, 999.96d0, 9999.6d0, 12345d0, 1d10]
  integer :: i
  complex :: z = (1.0, -2.0)
  do i = 1, size(v)
    print '(g12.4,g12.4e3,g15.7,g9.1,g10.1,1pg12.4)', v(i), v(i), v(i), v(i), v(i), v(i)
    print '(g0,1x,g0.4,1x,g0.1)', v(i), v(i), v(i)
  end do
  print '(g5.2,g12.3,g4.1,g0)', 42, 43_8, 44_2, 45_1
  print '(g5.2,g3.1,g0,g1.1)', .true., .false., .true., .false.
  print '(g5.2,g2.1,g0,g12.3)', 'abc', 'abc', 'abc', 'abc'
  print '(2g12.4)', z
  print '(*(g0,:,","))', 1, 'two', 3.0, .true., (4.0, 5.0)
end program
