! told at 8:18: Dummy argument 'x' is associated with a constant or expression
program fault
  real :: y = 1
  call s(2 * y)
contains
    subroutine s(x)
      real :: x
      if (x > 1) x = 1
    end subroutine
end program
