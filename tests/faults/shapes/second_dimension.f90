! told at 11:7: Array bound mismatch for dimension 2 of array 'a' (3/4)
program fault
  integer :: n
  n = 4
  call s(n)
contains
    subroutine s(n)
      integer :: n
      integer :: a(2, 3), b(2, n)
      b = 2
      a = b
      print *, a
    end subroutine
end program
