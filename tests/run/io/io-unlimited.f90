! Unlimited repetition, and colons that end it.
program unlimited
  integer :: i
  character(20) :: text
  print '(*(i0,:,","))', (i, i = 1, 12)
  print '("v = ",*(f4.1,:," ; "))', 1.0, 2.0, 3.0
  print '(i2,": ",*(a))', 5, 'a', 'bc', 'def'
  write (text, '(*(i2))') (i, i = 1, 5)
  print *, text
  print '(*(i2,i3))', 1, 2, 3
  print '(a,*("(",i0,")"))', 'x', 1, 2
end program
