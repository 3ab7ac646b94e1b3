! TRANSFER between numbers, arrays and characters.
program p
  implicit none
  integer :: i, a(2)
  real :: x
  character(len=4) :: c
  character(len=8) :: d
  character(len=2) :: e(4)
  real(8) :: y
  complex :: z
  i = transfer(1.0, i)
  print *, i
  x = transfer(1073741824, x)
  print *, x
  c = transfer(1684234849, c)
  print *, c
  print *, transfer('abcd', 0)
  y = 1.5d0
  a = transfer(y, a)
  print *, a
  y = transfer(a, y)
  print *, y
  d = 'abcdefgh'
  e = transfer(d, e)
  print *, e(2), e(4)
  print *, transfer([1, 2, 3], [0], 2)
  z = transfer([1.0, 2.0], z)
  print *, z, transfer(.true., 0)
  print *, size(transfer(d, [0])), transfer(e, d)
end program
