! told at 12:7: Array bound mismatch for dimension 1 of array 'c' (3/2)
program fault
  integer :: n
  n = 2
  call s(n)
contains
    subroutine s(n)
      integer, intent(in) :: n
      real :: a(n, 2), b(2), c(3)
      a = 1
      b = 2
      c = matmul(a, b)
      print *, c
    end subroutine
end program
