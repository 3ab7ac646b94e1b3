! Values that change, loops that never run, labels that nobody needs.
program values
  implicit none
  integer :: i, j
  integer(1) :: small
  real(4) :: x
  real(8) :: y
  character(3) :: s
  y = 1.1d0
  i = 5
  x = y
  x = 0.5d0
  x = 0.1d0
  i = x
  small = i
  small = 100
  x = i
  s = 'abcd'
  s = 'abc'
  do i = 5, 1
    print *, i
  end do
  do 10 j = 1, 2
10 continue
20 continue
  if (x == y) goto 30
  y = 7 / 2
  y = 6 / 2
30 print 40, x, y, s, small
40 format (2f8.3, a, i4)
50 format (i5)
end program
