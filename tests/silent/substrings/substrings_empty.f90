! Substrings without characters may lie anywhere.
program right
  character(5) :: s = 'abcde'
  integer :: n
  n = 7
  print *, '[' // s(n:6) // ']', len(s(9:2)), s(n:3) == ''
  s(8:1) = 'x'
  print *, s
end program
