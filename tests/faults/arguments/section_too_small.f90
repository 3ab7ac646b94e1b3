! told at 6:10: Actual argument contains too few elements for dummy argument 'x' (2/4)
program fault
  real :: a(10) = 0
  integer :: k
  k = 9
  call s(a(k:), 4)
  print *, a
contains
    subroutine s(x, n)
      integer, intent(in) :: n
      real :: x(n)
      x = 1
    end subroutine
end program
