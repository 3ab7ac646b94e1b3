! told at 6:7: Value out of range in the conversion to INTEGER(4)
! flags: -fcheck=overflow
program fault
  real :: x(3) = [1.0, 3e10, 2.0]
  integer :: n(3)
  n = x
  print *, n
end program
