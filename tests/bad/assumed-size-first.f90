subroutine s(a)
  real :: a(*, 3)
end subroutine
