! told at 6:12: Value out of range in the conversion to INTEGER(4)
! flags: -fcheck=overflow
program fault
  real(8) :: x
  x = -3d9
  print *, int(x)
end program
