! told at 11:26: Array bound mismatch for dimension 1 of array 'm'
program fault
  call s(5)
contains
    subroutine s(n)
      integer, intent(in) :: n
      integer :: a(4)
      logical :: m(n)
      a = 1
      m = .true.
      print *, minloc(a, m)
    end subroutine
end program
