! told at 12:21: Array bound mismatch for dimension 1 of array 'a' (4/3)
program fault
  integer :: n
  n = 4
  call s(n)
contains
    subroutine s(n)
      integer :: n
      integer :: a(3), b(n)
      a = 1
      b = 2
      where (b > 0) a = 7
      print *, a
    end subroutine
end program
