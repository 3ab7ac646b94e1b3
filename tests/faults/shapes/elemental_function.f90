! told at 16:16: Array bound mismatch for dimension 1 of array 'b' (3/4)
program fault
  integer :: n
  n = 4
  call s(n)
contains
    elemental integer function f(x, y)
      integer, intent(in) :: x, y
      f = x + y
    end function
    subroutine s(n)
      integer :: n
      integer :: a(3), b(n), c(3)
      a = 1
      b = 2
      c = f(a, b)
      print *, c
    end subroutine
end program
