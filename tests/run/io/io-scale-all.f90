! The scale factor: with every real descriptor, in force until the next one, on input too.
program scale
  implicit none
  real(8) :: x, y, z, w
  character(40) :: t
  x = 123.456d0
  print '(f12.4,1p,f12.4,0p,f12.4,-1p,f12.4)', x, x, x, x
  print '(e14.5,1p,e14.5,2p,e14.5,-2p,e14.5)', x, x, x, x
  print '(d14.5,1p,d14.5,3p,d14.5,-1p,d14.5)', x, x, x, x
  print '(g14.5,1p,g14.5,2p,g14.5)', x, x, x
  print '(g14.5,1p,g14.5,2p,g14.5)', x * 1d8, x * 1d8, x * 1d8
  print '(1p,en14.3,es14.3,0p,en14.3,es14.3)', x, x, x, x
  print '(2(1pe12.3,f8.2))', x, x, x, x
  print '(1p,2e12.4e3/e12.4)', x, -x, x
  print '(3p,e12.2)', x
  print '(4p,e14.3)', x
  print '(1p,f10.2,i6)', x, 7
  t = '   1234.5  1234.5   12.3e1'
  read (t, '(2pf9.0,0pf8.0,2pf9.0)') x, y, z
  print '(3f14.6)', x, y, z
  read (t, '(-2p,f9.0)') w
  print '(f14.4)', w
  read (t, '(1p,f5.2)') w
  print '(f14.6)', w
  print '(1pg12.4,g12.4)', 0d0, 1d-3
end program
