! told at 4:10: Actual argument contains too few elements for dummy argument 'x' (4/8)
program fault
  real :: a(4) = 0
  call s(a, 8)
  print *, a
end program
subroutine s(x, n)
  integer :: n
  real :: x(n)
  x = 1
end subroutine
