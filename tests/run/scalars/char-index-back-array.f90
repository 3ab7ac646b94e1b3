! INDEX, SCAN and VERIFY with an array as BACK.
program char_index_back_array
  implicit none
  logical :: back(3) = [.false., .true., .false.]
  character(6) :: s = 'abcabc', t(3) = ['xxabab', 'abxxab', 'ababxx']
  print *, index('abcabc', 'bc', back)
  print *, index(s, 'a', back), index(t, 'ab', back)
  print *, scan(t, 'x', back), verify(t, 'a', back)
end program
