! told at 8:7: Dummy argument 'n' is associated with a constant or expression
program fault
  integer, parameter :: m = 4
  call s(m)
contains
    subroutine s(n)
      integer :: n
      n = 2
    end subroutine
end program
