! told at 9:7: Dummy argument 'x' is associated with a constant or expression
program fault
  real :: y = 1
  call s((y))
  print *, y
contains
    subroutine s(x)
      real :: x
      x = 3
    end subroutine
end program
