! told at 5:12: Actual argument contains too few elements for dummy argument 'y' (3/5)
program fault
  real :: a(3)
  a = 0
  call two(a, 5)
  print *, a
end program
subroutine one(x)
  real :: x(2)
  integer :: n
  real :: y(n)
  x(1) = 1
  return
  entry two(y, n)
  y(n) = 1
end subroutine
