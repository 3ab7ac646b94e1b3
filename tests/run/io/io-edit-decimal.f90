! DC, DP and DECIMAL=: commas as decimal symbols and semicolons as separators.
program edit_decimal
  character(60) :: u
  real :: x, y
  integer :: i
  character(40) :: text
  print '(dc,f6.2,dp,f6.2,dc,e11.3,g11.3)', 1.5, 1.5, 1.5, 1.5
  write (*, '(f6.2)', decimal='comma') 2.5
  write (*, *, decimal='comma') 2.5, 1, (1.0, 2.0)
  u = '1,5;7;2,5'
  read (u, *, decimal='comma') x, i, y
  print *, x, i, y
  open (14, status='scratch', decimal='comma')
  write (14, *) 3.25, 4
  write (14, '(f5.2)') 3.25
  rewind 14
  read (14, *) x, i
  print *, x, i
  read (14, '(a)') text
  print *, trim(text)
  inquire (14, decimal=text)
  print *, trim(text)
end program
