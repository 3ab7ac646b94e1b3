! MERGE on scalars and arrays of several types.
program transform_merge
  implicit none
  integer :: a(4), b(4), i
  logical :: m(4)
  character(len=3) :: s(2)
  a = (/ 1, 2, 3, 4 /)
  b = (/ 10, 20, 30, 40 /)
  m = (/ .true., .false., .false., .true. /)
  print *, merge(a, b, m), merge(a, 0, a > 2)
  print *, merge(1.5d0, -1.5d0, .false.), merge('yes', 'no ', 3 > 2)
  s = merge((/ 'abc', 'def' /), (/ 'uvw', 'xyz' /), (/ .false., .true. /))
  print *, s
  do i = 1, 4
    print *, merge(i, -i, mod(i, 2) == 0)
  end do
end program
