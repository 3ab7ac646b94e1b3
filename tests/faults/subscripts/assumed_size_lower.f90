! told at 9:18: Index '3' of dimension 1 of array 'x' above upper bound of 2
program fault
  real :: a(3) = 0
  call s(a, 3)
contains
    subroutine s(x, n)
      real :: x(0:*)
      integer, intent(in) :: n
      print *, x(n)
    end subroutine
end program
