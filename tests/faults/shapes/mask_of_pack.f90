! told at 13:24: Array bound mismatch for dimension 1 of array 'm' (3/4)
program fault
  integer :: n
  n = 4
  call s(n)
contains
    subroutine s(n)
      integer :: n
      real :: a(3)
      logical :: m(n)
      a = 1
      m = .true.
      print *, pack(a, m)
    end subroutine
end program
