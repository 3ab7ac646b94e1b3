! told at 7:7: Value out of range in the conversion to INTEGER(4)
! flags: -fcheck=overflow
program fault
  real :: x
  integer :: n
  x = 1e20
  n = x
  print *, n
end program
