! told at 10:25: Array bound mismatch for dimension 1 of array 'b' (4/3)
program fault
  call s(3)
contains
    subroutine s(n)
      integer, intent(in) :: n
      real :: a(4), b(n)
      a = 1
      b = 2
      where (a > 0) a = b
      print *, a
    end subroutine
end program
