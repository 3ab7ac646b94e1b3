! told at 10:21: Array bound mismatch for dimension 1 of array 'b'
program fault
  call s(3)
contains
    subroutine s(n)
      integer, intent(in) :: n
      character(len=2) :: a(4), b(n)
      a = 'x'
      b = 'y'
      print *, a // b
    end subroutine
end program
