! told at 12:11: The extents of the arguments of 'matmul' differ (3/4)
program fault
  integer :: n
  n = 4
  call s(n)
contains
    subroutine s(n)
      integer :: n
      real :: a(2, 3), b(n, 2), c(2, 2)
      a = 1
      b = 2
      c = matmul(a, b)
      print *, c
    end subroutine
end program
