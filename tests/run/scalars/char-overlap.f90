! A character variable assigned from overlapping parts of itself.
program char_overlap
  implicit none
  character(len=8) :: s
  s = 'abcdefgh'
  s(2:8) = s(1:7)
  print *, s
  s = 'abcdefgh'
  s(1:7) = s(2:8)
  print *, s
  s = s(5:8) // s(1:4)
  print *, s
  s = 'x' // s
  print *, s
  s(3:6) = s(1:2)
  print *, s, '|'
end program
