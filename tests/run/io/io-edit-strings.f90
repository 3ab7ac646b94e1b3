! Text in formats: apostrophes, quotation marks, doubled ones, Holleriths.
program edit_strings
  character(30) :: f
  print '(''it''''s'')'
  print "('it''s',"" 'q' "")"
  print '("say ""hi""")'
  print '(5hhello,1x,3h(,))'
  print 100
100 format ('a''b',"c""d",4h'"/ ,/' new line')
  f = '("run ""time"" ",i2)'
  print f, 5
  f = "(1x,'it''s',i3)"
  print f, 6
  print '(a,'' tail '',a)', 'x', 'y'
  print '('''')'
  print '(" ")'
end program
