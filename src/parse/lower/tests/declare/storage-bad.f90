! COMMON, EQUIVALENCE and DATA that are wrong.
subroutine s(d, n)
  integer n, d, i, big(30000, 30000), x(4), y(4)
  real(8) r
  integer m
  common /blk/ m, r
  common /blk/ m
  common /c2/ d
  common /c3/ huge_one(40000, 40000)
  equivalence (x(1), y(2)), (y(1), x(1))
  equivalence (x(5), m)
  equivalence (n, x)
  data (x(i), i = 1, 5) / 5*0 /
  data y / 3*1 /
  data r / 'text' /
  save
  real auto(n)
  auto(1) = 1
end subroutine s
subroutine t
  common /blk/ a, b, c, e, f
  allocatable :: b2(:)
  common /c4/ b2
end subroutine t
