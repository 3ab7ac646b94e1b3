program constant_places
  integer, parameter :: a(2,3) = reshape([3,1,4,1,5,9],[2,3])
  real(8), parameter :: v(5) = [1.1d0, -2.2d0, 3.3d0, 1d-3, 1d2], w(2) = [3d300, 4d300]
  integer, parameter :: m(2) = minloc(a), b(2) = minloc(a, back=.true.), f(2) = findloc(a, 1), fb(2) = findloc(a, 1, back=.true.)
  integer, parameter :: d1(3) = maxloc(a, 1), d2(2) = maxloc(a, dim=2), g(3) = findloc(a, 1, dim=1), h(2) = findloc(a, 7)
  integer, parameter :: s = maxloc([2,7,1], 1), e(1) = minloc([integer ::])
  print *, m, b, f, fb, d1, d2, g, h, s, e
  print *, norm2(v), norm2(w), norm2(reshape(v(:4), [2,2]), 1), norm2([1.5, 2.5, 1e-3])
end program constant_places
