! told at 6:12: Value out of range in the conversion to INTEGER(4)
! flags: -fcheck=overflow
program fault
  real :: x
  x = 1e20
  print *, nint(x)
end program
