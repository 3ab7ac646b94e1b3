! told at 7:7: Dummy argument 'x' is associated with a constant or expression
program fault
  call s(abs(-2.0))
contains
    subroutine s(x)
      real :: x
      x = 0
    end subroutine
end program
