! told at 16:17: Array bound mismatch for dimension 1 of array 'b' (3/4)
program fault
  integer :: n
  n = 4
  call s(n)
contains
    elemental subroutine f(x, y)
      integer, intent(in) :: x
      integer, intent(out) :: y
      y = x
    end subroutine
    subroutine s(n)
      integer :: n
      integer :: a(3), b(n)
      a = 1
      call f(a, b)
      print *, b
    end subroutine
end program
