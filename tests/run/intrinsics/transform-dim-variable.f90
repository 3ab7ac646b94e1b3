! DIM that is not constant.
program p
  implicit none
  integer :: a(2,3), d, i
  real :: r(2,2,2)
  a = reshape([(i, i=1,6)], [2,3])
  do d = 1, 2
    print *, sum(a, d)
    print *, maxval(a, dim=d), minloc(a, dim=d)
    print *, count(a > 2, d), any(a > 5, d), all(a > 0, d)
    print *, cshift(a, 1, d)
    print *, eoshift(a, 1, dim=d)
    print *, size(a, d), lbound(a, d), ubound(a, d)
  end do
  r = reshape([(real(i), i=1,8)], [2,2,2])
  do d = 1, 3
    print *, sum(r, d)
    print *, product(r, dim=d, mask=r > 2)
    print *, spread([1,2], min(d, 2), 2)
  end do
end program
