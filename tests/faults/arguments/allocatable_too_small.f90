! told at 5:10: Actual argument contains too few elements for dummy argument 'x' (3/5)
program fault
  real, allocatable :: a(:)
  allocate (a(3))
  call s(a, 5)
contains
    subroutine s(x, n)
      integer, intent(in) :: n
      real :: x(n)
      x = 1
    end subroutine
end program
