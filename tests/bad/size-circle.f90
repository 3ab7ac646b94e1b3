! Sizes that need themselves.
subroutine s(n, d)
  integer :: n
  real :: a(size(b)), b(size(a)), e(size(e) + n)
  character(len(e2)) :: e1(n)
  character(len(e1)) :: e2
  real :: ok(n), fine(size(ok)), fine2(size(fine) + size(ok))
  real :: d(size(d) + n)
  print *, a, b, d, e, e1, e2, ok, fine, fine2
end subroutine
end
