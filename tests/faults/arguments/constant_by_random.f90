! told at 7:22: Dummy argument 'x' is associated with a constant or expression
program fault
  call s(0.0)
end program
subroutine s(x)
  real :: x
  call random_number(x)
end subroutine
