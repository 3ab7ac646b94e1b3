! MAXVAL and MINVAL of characters along a dimension, with masks, of empty rows and in expressions.
program dims
  implicit none
  character(3) :: c(2, 3), d(3), e(2)
  character(2) :: cube(2, 2, 2)
  character(4) :: none(0, 2)
  integer :: k
  c = reshape([character(3) :: 'abc', 'xyz', 'b', 'zz', 'm', 'a'], [2, 3])
  d = maxval(c, dim=1)
  print '(*(a,:,"|"))', d
  e = minval(c, dim=2)
  print '(*(a,:,"|"))', e
  print '(*(a,:,"|"))', maxval(c, 1, c < 'y'), minval(c, dim=1, mask=c > 'a')
  print '(a)', maxval(maxval(c, dim=1))
  print '(*(a,:,"|"))', minval(c, dim=2) // '!'
  cube = reshape([character(2) :: 'h', 'a', 'g', 'b', 'f', 'c', 'e', 'd'], [2, 2, 2])
  do k = 1, 3
    if (k == 1) print '(*(a,:,"|"))', maxval(cube, dim=1)
    if (k == 2) print '(*(a,:,"|"))', maxval(cube, dim=2)
    if (k == 3) print '(*(a,:,"|"))', minval(cube, dim=3)
  end do
  print '(*(i0,:,"|"))', ichar([(f(minval(none, dim=1), k), k = 1, 2)]), shape(maxval(none, dim=1))
contains
  pure character function f(t, k)
    character(*), intent(in) :: t(:)
    integer, intent(in) :: k
    f = t(k)(1:1)
  end function
end program
