! The edit descriptors E and D: exponents of one to four digits, scale factors, overflow of the exponent field.
program edit_e
  real(8) :: v(7) = [0d0, 1d0, -1.5d0, 9.9996d0, 1.2345d-5, 6.02d123, -4.9d-310]
  integer :: i
  do i = 1, size(v)
    print '(e12.4,e12.4e1,e12.4e2,e14.4e3,e15.4e4)', v(i), v(i), v(i), v(i), v(i)
    print '(d12.4,d20.12,e0.3,1x,e9.2,e8.2,e7.2)', v(i), v(i), v(i), v(i), v(i), v(i)
    print '(1pe12.4,2pe12.4,-1pe12.4,-2pe12.4,3pe12.2)', v(i), v(i), v(i), v(i), v(i)
  end do
  print '(sp,e12.3,ss,e12.3)', 2.5, 2.5
end program
