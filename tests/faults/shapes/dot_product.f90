! told at 12:16: The extents of the arguments of 'dot_product' differ (3/4)
program fault
  integer :: n
  n = 4
  call s(n)
contains
    subroutine s(n)
      integer :: n
      real :: a(3), b(n)
      a = 1
      b = 2
      print *, dot_product(a, b)
    end subroutine
end program
