! A recursive subroutine passes itself.
recursive subroutine m(k)
  integer :: k
  external apply
  if (k > 0) call apply(m, k - 1)
  print *, k
end subroutine
recursive subroutine apply(f, k)
  external f
  integer k
  call f(k)
end subroutine
program p
  call m(3)
end program
