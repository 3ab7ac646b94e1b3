! told at 12:20: Array bound mismatch for dimension 1 of array 'b' (3/4)
program fault
  integer :: n
  n = 4
  call s(n)
contains
    subroutine s(n)
      integer :: n
      integer :: a(3), b(n), c(3)
      a = 1
      b = 2
      c = merge(a, b, a > 0)
      print *, c
    end subroutine
end program
