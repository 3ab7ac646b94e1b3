! MAXVAL and MINVAL of strings along a dimension that is known at run time.
program any_dim
  character(2) :: t(2, 3), cube(2, 2, 2)
  logical :: m(2, 3)
  integer :: d
  t = reshape((/ 'ba', 'ab', 'zz', 'aa', 'cd', 'dc' /), (/ 2, 3 /))
  cube = reshape((/ 'ba', 'ab', 'zz', 'aa', 'cd', 'dc', 'xy', 'ax' /), (/ 2, 2, 2 /))
  m = t < 'cz'
  do d = 1, 2
    print *, size(maxval(t, d)), maxval(t, dim=d), minval(t, d), minval(t, d, m) // '.'
  end do
  do d = 1, 3
    print *, shape(minval(cube, d)), minval(cube, d), maxval(cube, dim=d)
  end do
  call short(0)
contains
  subroutine short(n)
    integer, intent(in) :: n
    character(3) :: e(n, 2)
    character(3) :: r(2)
    e = 'abc'
    do d = 2, 1, -1
      if (d == 1) r = maxval(e, d)
      print *, size(maxval(e, d)), size(minval(e, d))
    end do
    print *, ichar(r(:)(1:1)), ichar(r(:)(3:3))
    r = minval(e, d + 1)
    print *, ichar(r(:)(1:1)), ichar(r(:)(3:3))
  end subroutine
end program
