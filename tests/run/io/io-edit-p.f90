! The scale factor: how long it holds, and its effect on every descriptor, both ways.
program edit_p
  character(60) :: u
  real :: x = 12.345, a, b, c
  print '(1p,f10.3,e12.4,g12.4,d12.4)', x, x, x, x
  print '(1pf10.3,f10.3,0pf10.3)', x, x, x
  print '(2p,3f10.2/f10.2)', x, x, x, x
  print '(-1pf10.4,e12.4)', x, x
  print '(3pe12.4,es12.4,en12.4)', x, x, x
  print '(1p,2(f8.2),0p)', x, x
  u = '   12.5   12.5  12.5e0'
  read (u, '(2pf7.1,0pf7.1,2pf9.1)') a, b, c
  print *, a, b, c
  u = '1234 1234 1234'
  read (u, '(1pf4.2,f5.0,-1pf5.1)') a, b, c
  print *, a, b, c
  print '(1p)'
  print '(1p,i5,f8.1)', 3, 3.0
end program
