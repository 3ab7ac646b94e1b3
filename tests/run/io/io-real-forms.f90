! Real numbers without a width, at the limits of G, rounded up, down and to zero, with signs and scale factors.
program real_forms
  implicit none
  real(8) :: x(6) = [0.0367047d0, -3.5893d0, 0d0, 1d10, -0.5d0, 0.0996d0]
  real(4) :: y(4) = [0.00314, -0.00314, 99.95, 0.0995]
  integer :: k
  do k = 1, 4
    print '(e0.10,1x,e0.10e3,1x,e0.9e3,1x,d0.14,1x,en0.4,1x,es0.3e1)', y(k), y(k), y(k), y(k), y(k), y(k)
  end do
  print '(6(e0.0,1x))', x
  print '(1p,6(d0.0,1x))', x
  print '(6(es0.0,1x))', x
  print '(-1p,6(en0.0,1x))', x
  print '(2p,6(e0.0e3,1x))', x
  print '(6(e0.21,1x))', x
  print '(rd,8(g0.2,1x))', 0.0996, -0.0996, 0.09999, -0.09999, 0.0951, -0.0951, 0.099, -0.099
  print '(ru,8(g10.2,1x))', 0.0996, -0.0996, 0.09999, -0.09999, 0.0951, -0.0951, 99.5, -99.5
  print '(rc,8(g10.2,1x))', 0.0995, -0.0995, 99.5, 995., 9995., 0.5, 1e10, 0.
  print '(rz,6(f0.0,1x))', x
  print '(ru,6(f0.0,1x))', -x
  print '(ru,4(f8.3,1x))', 3d-10, 3d-23, 3d-24, 3d-200
  print '(en0.5e1,1x,en0.2e2)', 1d20, 1d200
end program
