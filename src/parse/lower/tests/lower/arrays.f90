! Whole arrays, sections, constructors, WHERE, FORALL, transformational functions.
subroutine arrays(a, b, n, k)
  integer :: n, k(3), i
  real :: a(n, n), b(0:n - 1), s
  a = 1.0
  a(2:n, 1) = b(:n - 2) * 2
  b(k) = (/ 1.0, s, 3.0 /)
  s = sum(a, mask=a > 0) + maxval(b(::2))
  where (b > 0)
    b = sqrt(b)
  elsewhere (b < -1.0)
    b = 0
  elsewhere
    b = -b
  end where
  forall (i = 1:n, b(i - 1) /= 0) a(i, i) = 1 / b(i - 1)
  b(0:4) = (/ (i * s, i = 1, 5) /)
end subroutine
