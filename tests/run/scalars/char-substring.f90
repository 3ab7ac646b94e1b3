! Substrings read and written, of arrays too, empty, with computed bounds.
program char_substring
  implicit none
  character(len=10) :: s, t(2)
  integer :: i, n
  s = 'abcdefghij'
  print *, s(3:5), '|', s(:2), '|', s(9:), '|', s(5:4), '|'
  s(2:4) = 'XYZW'
  print *, s
  s(8:) = 'q'
  print *, s, '|'
  t = s
  t(2)(1:1) = '*'
  print *, t(1)(1:2), t(2)(1:2)
  n = 3
  do i = 1, 4
    print *, s(i:i + n - 1), len(s(i:n))
  end do
end program
