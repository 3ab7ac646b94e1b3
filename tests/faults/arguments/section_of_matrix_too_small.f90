! told at 5:10: Actual argument contains too few elements for dummy argument 'x' (4/5)
program fault
  real :: a(4, 4)
  a = 0
  call s(a(2:3, 1:2), 5)
  print *, a(1, 1)
contains
  subroutine s(x, n)
    integer, intent(in) :: n
    real, intent(inout) :: x(n)
    x = 1
  end subroutine
end program
