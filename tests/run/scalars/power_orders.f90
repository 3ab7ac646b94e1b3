! A power has the same bits whether the compiler knows the exponent or not.
subroutine known(x)
  double precision x
  print '(8(z16,1x))', x**3, x**4, x**5, x**6, x**7, x**9, x**15, x**(-5)
  print '(8(z16,1x))', x**11, x**13, x**14, x**23, x**27, x**31, x**33, x**100
end
subroutine unknown(x, n)
  double precision x
  integer n(16)
  print '(8(z16,1x))', (x**n(i), i = 1, 8)
  print '(8(z16,1x))', (x**n(i), i = 9, 16)
end
program power_orders
  integer :: n(16) = (/ 3, 4, 5, 6, 7, 9, 15, -5, 11, 13, 14, 23, 27, 31, 33, 100 /)
  integer :: five, seven
  double precision :: x
  real :: y
  five = 5
  seven = -7
  x = 1.0001d0
  do j = 1, 20
    x = x*1.0137d0 + 0.001d0
    y = real(x)
    call known(x)
    call unknown(x, n)
    print '(6(z16,1x))', x**five, x**5, x**seven, x**(-7), y**five, y**5
  end do
end program
