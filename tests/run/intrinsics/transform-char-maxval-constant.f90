! MAXVAL and MINVAL of characters in constant expressions.
program transform_char_maxval_constant
  implicit none
  character(3), parameter :: w(4) = ['def', 'abc', 'xyz', 'mno']
  character(3), parameter :: hi = maxval(w), lo = minval(w)
  character(3), parameter :: most = maxval(w, mask=w < 'n')
  print *, hi, ' ', lo, ' ', most
end program
