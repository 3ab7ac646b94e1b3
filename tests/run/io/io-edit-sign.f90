! S, SP, SS, SIGN= of OPEN and of WRITE.
program edit_sign
  character(80) :: text
  print '(i4,sp,i4,ss,i4,sp,i4,s,i4)', 1, 1, 1, 1, 1
  print '(sp,f6.1,e10.2,g10.2,es10.2,en10.2,i0,1x,f0.1)', 1.0, 1.0, 1.0, 1.0, 1.0, 5, 2.5
  print '(sp,2f6.1)', (1.0, -1.0)
  print '(sp,i3,i3)', 0, -1
  write (*, '(i4,f6.1)', sign='plus') 3, 2.5
  write (*, '(i4,f6.1)', sign='suppress') 3, 2.5
  write (*, *, sign='plus') 3, 2.5
  open (12, status='scratch', sign='plus')
  write (12, '(i4,s,i4,ss,i4)') 1, 2, 3
  write (12, *) 7, 1.5
  rewind 12
  read (12, '(a)') text
  print '(a)', trim(text)
  read (12, '(a)') text
  print '(a)', trim(text)
  inquire (12, sign=text)
  print *, trim(text)
end program
