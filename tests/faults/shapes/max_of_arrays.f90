! told at 10:23: Array bound mismatch for dimension 1 of array 'b'
program fault
  call s(3)
contains
    subroutine s(n)
      integer, intent(in) :: n
      real :: a(4), b(n)
      a = 1
      b = 2
      print *, max(a, b)
    end subroutine
end program
