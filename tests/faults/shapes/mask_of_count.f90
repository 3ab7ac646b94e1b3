! told at 11:31: Array bound mismatch for dimension 1 of array 'm'
program fault
  call s(3)
contains
    subroutine s(n)
      integer, intent(in) :: n
      integer :: a(4)
      logical :: m(n)
      a = 1
      m = .true.
      print *, maxval(a, mask=m)
    end subroutine
end program
