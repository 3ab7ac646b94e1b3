! told at 11:18: Index '3' of dimension 1 of array 'x' above upper bound of 2
program fault
  real, allocatable :: a(:)
  allocate (a(2))
  a = 0
  call s(a, 3)
contains
    subroutine s(x, n)
      real :: x(*)
      integer, intent(in) :: n
      print *, x(n)
    end subroutine
end program
