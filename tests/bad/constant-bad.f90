! Constants too large, and malformed ones.
program constant_bad
  implicit none
  integer :: i
  double precision :: d
  i = 2147483648
  i = 99999999999999999999
  i = 300_1
  d = 1.0d999
  d = 1.0e99
  d = 1.5e
  i = int(z'xyz')
  i = int(b'102')
end program
