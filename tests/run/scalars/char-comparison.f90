! Comparison pads with blanks; LGT and friends; MAX and MIN order of strings.
program char_comparison
  implicit none
  character(len=3) :: a
  character(len=6) :: b
  a = 'abc'
  b = 'abc'
  print *, a == b, a == 'abc   ', a < 'abd', a > 'ab', 'a' < 'B', 'Z' < 'a'
  print *, '' == '   ', 'ab' /= 'ab ', 'ab!' > 'ab', 'ab' > 'ab!'
  print *, lge('b', 'a'), lgt('a', 'a'), lle('a', 'a '), llt('a', 'ab')
  b = 'abc!'
  if (a <= b .and. .not. a == b) print *, 'less'
end program
