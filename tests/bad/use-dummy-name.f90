! A dummy argument may have the name of something in a module that is used, as long as nobody asks which is meant.
module m
  implicit none
  real :: t0 = 7
end module
subroutine silent(n, t0)
  use m
  integer n
  print *, n
end subroutine
subroutine asked(n, t0)
  use m
  integer n
  print *, n, t0
end subroutine
subroutine declared(n, t0)
  use m
  integer n
  real t0
  print *, n
end subroutine
