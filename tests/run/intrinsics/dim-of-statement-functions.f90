! DIM by arguments of statement functions and associate names, also such that are in code that never runs.
subroutine s(x, y, a, n)
  integer :: n, k, g, h, f, l, m
  real :: x(*), y(2, *), a(3, 4)
  g(k) = ubound(y, k)
  h(k) = size(y, k)
  f(k) = lbound(x, k)
  l(k) = lbound(y, k)
  m(k) = size(sum(a, k))
  print *, h(1), g(1), f(1), l(1), l(2), m(1), m(2)
  associate (d => 1)
    print *, size(y, d), ubound(y, d), sum(a, d)
  end associate
  print *, size(y, 1), ubound(y, 1), lbound(y), lbound(x, 1)
  if (n < 0) then
    print *, h(2), g(2), h(3), f(2), m(3), m(0)
    associate (d => 5)
      print *, sum(a, d), cshift(a, 1, d), maxloc(a, d), count(a > 0, d), size(y, d), ubound(y, d)
    end associate
  end if
end subroutine
program dims
  real :: x(3), y(2, 4), a(3, 4)
  a = reshape([(i, i = 1, 12)], [3, 4])
  call s(x, y, a, 2)
end program
