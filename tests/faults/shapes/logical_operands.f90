! told at 10:23: Array bound mismatch for dimension 1 of array 'm'
program fault
  call s(3)
contains
    subroutine s(n)
      integer, intent(in) :: n
      logical :: l(4), m(n)
      l = .true.
      m = .false.
      print *, l .or. m
    end subroutine
end program
