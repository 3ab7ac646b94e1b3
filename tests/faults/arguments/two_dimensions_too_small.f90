! told at 4:10: Actual argument contains too few elements for dummy argument 'x' (6/9)
program fault
  real :: a(2, 3) = 0
  call s(a, 3)
  print *, a
contains
    subroutine s(x, n)
      integer, intent(in) :: n
      real :: x(n, n)
      x = 1
    end subroutine
end program
