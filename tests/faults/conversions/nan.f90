! told at 7:12: Value out of range in the conversion to INTEGER(4)
! flags: -fcheck=overflow
program fault
  real :: x
  x = -1
  x = sqrt(x)
  print *, int(x)
end program
