! told at 12:20: Array bound mismatch for dimension 1 of array 'b'
program fault
  integer :: n
  n = 3
  call s(n)
contains
    subroutine s(n)
      integer, intent(in) :: n
      real :: a(4), b(n)
      a = 1
      b = 2
      print *, a * b
    end subroutine
end program
