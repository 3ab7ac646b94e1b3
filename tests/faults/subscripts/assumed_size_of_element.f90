! told at 12:9: Index '4' of dimension 1 of array 'x' above upper bound of 3
program fault
  real :: a(5) = 0
  integer :: k
  k = 3
  call s(a(k), 4)
  print *, a
contains
    subroutine s(x, n)
      real :: x(*)
      integer, intent(in) :: n
      x(n) = 1
    end subroutine
end program
