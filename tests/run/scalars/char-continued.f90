! Character constants that go on on the next line: with and without the second ampersand, and a doubled quote that is split.
program char_continued
  implicit none
  character(40) :: a
  a = "one, &
      &two"
  print '(3a)', '[', trim(a), ']'
  a = 'don'&
't'
  print '(3a)', '[', trim(a), ']'
  a = "blank &
&    &
&! no comment"
  print '(3a)', '[', trim(a), ']'
  write (a, 10)
10 format ('it'& ! a comment
      's')
  print '(3a)', '[', trim(a), ']'
end program
