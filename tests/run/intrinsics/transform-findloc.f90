! FINDLOC, MAXLOC and MINLOC with BACK, KIND, MASK, DIM.
program p
  implicit none
  integer :: a(6), b(2,3)
  character(len=2) :: c(3)
  a = [3, 1, 4, 1, 4, 2]
  b = reshape([1, 5, 5, 2, 5, 1], [2, 3])
  c = ['aa', 'cc', 'bb']
  print *, findloc(a, 4), findloc(a, 4, back=.true.), findloc(a, 9), findloc(a, 1, dim=1)
  print *, findloc(b, 5), findloc(b, 5, dim=1), findloc(b, 5, dim=2, back=.true.)
  print *, findloc(a, 4, mask=[.true., .true., .false., .true., .true., .true.])
  print *, maxloc(a), maxloc(a, back=.true.), minloc(a, back=.true.), maxloc(a, dim=1)
  print *, maxloc(a, mask=a < 4), minloc(b, dim=2), maxloc(b, 1, b < 5)
  print *, maxloc([real ::]), maxval([integer ::]), kind(maxloc(a, kind=8))
  print *, maxval(c), minval(c), maxloc(c), minloc(c, dim=1)
  print *, findloc([.true., .false.], .false.), findloc(c, 'bb')
end program
