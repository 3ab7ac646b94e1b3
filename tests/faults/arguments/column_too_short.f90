! told at 6:10: Actual argument contains too few elements for dummy argument 'x' (2/3)
program fault
  real :: a(2, 2) = 0
  integer :: j
  j = 2
  call s(a(1, j), 3)
  print *, a
contains
    subroutine s(x, n)
      integer, intent(in) :: n
      real :: x(n)
      x = 1
    end subroutine
end program
